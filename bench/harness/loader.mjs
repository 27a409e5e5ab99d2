// Sends the load, in a process that is new for each measurement: a client that has taken in some gigabytes of answers gets
// slower, and would make a limit look lower than it is.
import autocannon from 'autocannon';
import { answer as send } from './parent.mjs';

process.once('message', async (/** @type {any} */ { url, requests, seconds, connections }) => {
  // Each connection goes through a share of its own, so that no request is sent twice before all were sent once.
  const shares = Array.from({ length: connections }, () => /** @type {object[]} */ ([]));
  requests.forEach((request, n) => {
    // A body from the other process arrives as an array of bytes, which autocannon does not know as a buffer.
    const body = request.body === undefined ? {} : { body: Buffer.from(request.body) };
    shares[n % connections].push({ ...request, ...body });
  });
  const run = (end) => {
    let next = 0;
    const setupClient = (client) => client.setRequests(shares[next++ % connections]);
    return autocannon({ url, connections, sampleInt: 50, ...end, setupClient });
  };
  // A new client is slow too, until its code has been compiled. Requests that can be sent only once are not spent on that.
  if (seconds) await run({ duration: 1 });
  send({ started: true });
  const times = [];
  let last = 0;
  // Either end of the run: a time, or every request once.
  const running = run(seconds ? { duration: seconds } : { amount: requests.length });
  // All connections are set up, and their requests printed, when the call returns; none has been sent.
  const start = performance.now();
  running.on('response', (_client, _status, _bytes, milliseconds) => {
    times.push(milliseconds);
    last = performance.now();
  });
  const { errors, non2xx, statusCodeStats } = await running;
  const answer = { errors, non2xx, statusCodeStats, times: Float64Array.from(times), taken: last - start };
  send(answer, () => process.disconnect());
});
