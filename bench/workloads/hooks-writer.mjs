// Sends updates of products at a steady rate over HTTP, each with the time in its title, in its own process.
import { Agent } from 'undici';
import { answer as send } from '../harness/parent.mjs';

process.once('message', async (/** @type {any} */ task) => {
  const { url, path, key, products, rate, seconds, connections } = task;
  const agent = new Agent({ connections });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const times = [];
  let failed = 0;
  const under = new Set();
  const begin = performance.now();
  let sent = 0;
  const update = async (n) => {
    const from = performance.now();
    const title = `Mug ${n}, sent at ${Date.now()}`;
    const request = { origin: url, path: `${path}/${products[n % products.length]}`, method: 'PUT', headers };
    try {
      const { statusCode, body } = await agent.request({ ...request, body: JSON.stringify({ title }) });
      await body.dump();
      if (statusCode !== 200) failed++;
      times.push(performance.now() - from);
    } catch {
      failed++;
    }
  };
  await new Promise((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(rate * seconds, ((performance.now() - begin) / 1000) * rate);
      // Drops updates that the server is too slow for, instead of queueing them here.
      while (sent < due && under.size < connections) {
        const one = update(sent++).finally(() => under.delete(one));
        under.add(one);
      }
      if (sent >= rate * seconds) {
        clearInterval(timer);
        resolve(undefined);
      }
    }, 5);
  });
  await Promise.all(under);
  const taken = (performance.now() - begin) / 1000;
  send({ answered: times.length, failed, taken, times: Float64Array.from(times).sort() }, () => process.disconnect());
});
