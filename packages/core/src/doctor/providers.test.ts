import { publicUrl, useSelling } from '@commerce/test-support/fixtures/selling';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { connectProvider, disconnectProvider, examineProviders } from '../index.ts';

forEachStorage('the endpoints of payment providers', (database) => {
  const { commerce, stub, openShop, receiver } = useSelling(database);
  const examined = () => examineProviders(commerce().engine, { publicUrl });

  it('are compared with what the service needs', async () => {
    const { shop } = await openShop([]);
    expect(await examined()).toBeNull();
    const target = receiver(shop, 'stripe');
    const { secretKey, apiBase } = stub().account('stripe', target);
    await connectProvider(shop, 'stripe', { secretKey, apiBase });
    expect(await examined()).toMatchObject({ check: 'providers', status: 'ok' });
    stub().endpoints(target)[0]?.events.splice(0, 1);
    expect(await examined()).toMatchObject({
      status: 'problem',
      message: expect.stringContaining('does not send payment_intent.succeeded'),
    });
    stub().fault('stripe.endpoints', { status: 500 }, { status: 500 });
    expect(await examined()).toMatchObject({ status: 'warning', message: expect.stringContaining(shop.store.id) });
    const message = 'This key lacks rak_webhook_read';
    stub().fault('stripe.endpoints', { status: 403, body: { error: { message } } });
    expect(await examined()).toMatchObject({ status: 'problem', message: expect.stringContaining(message) });
    await disconnectProvider(shop, 'stripe');
    expect(await examined()).toBeNull();
  });
});
