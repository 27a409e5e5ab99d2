/**
 * Sends an answer to the process that started this one.
 * @param {object} message
 * @param {() => void} [sent] called once it has left
 */
export function answer(message, sent) {
  if (!process.send) throw new Error('this script is started by another one');
  process.send(message, undefined, undefined, sent);
}

/**
 * The port of a server that listens.
 * @param {import('node:net').Server} server
 */
export function portOf(server) {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}
