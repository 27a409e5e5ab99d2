import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A mail server on loopback that takes every mail and keeps none: the store has their texts. */
export async function catchMails() {
  const { SMTPServer } = await import('smtp-server');
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 1000,
    onData(stream, _, callback) {
      stream.on('end', () => callback(null, 'taken'));
      stream.resume();
    },
  });
  // A client that ends early resets its connection.
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    smtp: { host: '127.0.0.1', port, security: 'none' as const },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
