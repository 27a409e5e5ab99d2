// The stand-in of the payment provider for the measurement of checkouts, in a process of its own.
import { startProviderStub } from '@commerce/core/testing';
import { answer } from '../harness/parent.mjs';

const stub = await startProviderStub({ ticks: false });

process.on('message', ({ slow, delay }) => {
  // Nobody pays here, so nothing is ever told of.
  if (slow) stub.fault('stripe.create', ...Array.from({ length: slow }, () => ({ delay })));
  answer({ account: slow ? null : stub.account('stripe', async () => 200) });
});
