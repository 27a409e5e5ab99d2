// Sends the load, in a new process for each measurement. A client that has received several gigabytes of answers gets slower, and would
// make a limit look lower than it is.
import autocannon from 'autocannon';
import { answer as send } from './parent.mjs';

process.once('message', async (/** @type {any} */ { url, requests, seconds, connections }) => {
  // Each connection has its own share, so that no request is sent twice.
  const shares = Array.from({ length: connections }, () => /** @type {object[]} */ ([]));
  requests.forEach((request, n) => {
    // A body from the other process arrives as an array of bytes, which autocannon does not accept as a buffer.
    const body = request.body === undefined ? {} : { body: Buffer.from(request.body) };
    shares[n % connections].push({ ...request, ...body });
  });
  const run = (end) => {
    let next = 0;
    const setupClient = (client) => client.setRequests(shares[next++ % connections]);
    return autocannon({ url, connections, sampleInt: 50, ...end, setupClient });
  };
  // A new client is also slow until its code is compiled. Requests that can be sent only once are not used for this.
  if (seconds) await run({ duration: 1 });
  send({ started: true });
  const times = [];
  let last = 0;
  // The run ends after a time, or after every request was sent once.
  const running = run(seconds ? { duration: seconds } : { amount: requests.length });
  // When the call returns, all connections are set up and their requests printed, but none was sent.
  const start = performance.now();
  running.on('response', (_client, _status, _bytes, milliseconds) => {
    times.push(milliseconds);
    last = performance.now();
  });
  const { errors, non2xx, statusCodeStats } = await running;
  const answer = { errors, non2xx, statusCodeStats, times: Float64Array.from(times), taken: last - start };
  send(answer, () => process.disconnect());
});
