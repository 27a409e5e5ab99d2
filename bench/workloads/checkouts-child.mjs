// The stand-in for the payment provider in the measurement of checkouts, in its own process.
import { startProviderStub } from '@commerce/core/testing';
import { answer } from '../harness/parent.mjs';

const stub = await startProviderStub({ ticks: false });

process.on('message', ({ slow, delay }) => {
  // No buyer pays here, so no notifications are sent.
  if (slow) stub.fault('stripe.create', ...Array.from({ length: slow }, () => ({ delay })));
  answer({ account: slow ? null : stub.account('stripe', async () => 200) });
});
