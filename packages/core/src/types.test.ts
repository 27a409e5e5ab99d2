import { describe, expectTypeOf, it } from 'vitest';
import {
  type Category,
  type Commerce,
  type CommerceEvent,
  type Context,
  type Customer,
  configureProvider,
  type EventData,
  type EventType,
  type ExpiredCheckout,
  type FailedRefund,
  type Media,
  type Order,
  type Page,
  type Payment,
  type PaymentProvider,
  type Product,
} from './index.ts';

// The compiler checks these functions together with the types; they are never called.
describe('types that an application relies on', () => {
  it('tell what an event is about by its type', () => {
    expectTypeOf<EventData<'product.updated'>>().toEqualTypeOf<Product>();
    expectTypeOf<EventData<'order.paid'>>().toEqualTypeOf<Order>();
    expectTypeOf<EventData<'customer.deleted'>>().toEqualTypeOf<Customer>();
    expectTypeOf<EventData<'category.created'>>().toEqualTypeOf<Category>();
    expectTypeOf<EventData<'page.created'>>().toEqualTypeOf<Page>();
    expectTypeOf<EventData<'media.created'>>().toEqualTypeOf<Media>();
    expectTypeOf<EventData<'payment.unmatched'>>().toEqualTypeOf<Payment>();
    expectTypeOf<EventData<'checkout.expired'>>().toEqualTypeOf<ExpiredCheckout>();
    expectTypeOf<EventData<'refund.failed'>>().toEqualTypeOf<FailedRefund>();
    // Every event has a resource.
    expectTypeOf<{ [One in EventType as EventData<One> extends never ? One : never]: 1 }>().toEqualTypeOf<
      Record<never, 1>
    >();
  });

  it('narrow the data of an event with its type', () => {
    const handle = (event: CommerceEvent) => {
      if (event.type === 'order.paid') expectTypeOf(event.data).toEqualTypeOf<Order>();
      else if (event.type === 'product.created') expectTypeOf(event.data).toEqualTypeOf<Product>();
      switch (event.type) {
        case 'order.created':
        case 'order.cancelled':
          expectTypeOf(event.data.orderNumber).toBeString();
          break;
        case 'media.deleted':
          expectTypeOf(event.data.mimeType).toBeString();
      }
    };
    expectTypeOf(handle).parameter(0).toHaveProperty('data');
  });

  it('give a handler the events that it is registered for', () => {
    const register = async (commerce: Commerce) => {
      await commerce.on('order.paid', (event) => expectTypeOf(event).toEqualTypeOf<CommerceEvent<'order.paid'>>());
      await commerce.on('product.*', ({ data, type }) => {
        expectTypeOf(data).toEqualTypeOf<Product>();
        expectTypeOf(type).toEqualTypeOf<
          'product.created' | 'product.updated' | 'product.deleted' | 'product.low_stock'
        >();
      });
      await commerce.on(['order.refunded', 'page.*'], ({ data }) => expectTypeOf(data).toEqualTypeOf<Order | Page>());
      await commerce.on([] as EventType[], ({ data }) => expectTypeOf(data).toEqualTypeOf<CommerceEvent['data']>());
      // @ts-expect-error no such event
      await commerce.on('order.payed', () => {});
      // @ts-expect-error no such resource
      await commerce.on('orders.*', () => {});
    };
    expectTypeOf(register).returns.resolves.toBeVoid();
  });

  it('know the settings of each payment provider', () => {
    const configure = async (shop: Context, name: string) => {
      expectTypeOf(
        await configureProvider(shop, 'stripe', { webhookSecret: 'whsec_1', secretKey: null, makeOrders: true }),
      ).toEqualTypeOf<PaymentProvider>();
      await configureProvider(shop, 'paypal', { clientId: 'a', clientSecret: 'b', webhookId: 'c' });
      await configureProvider(shop, 'square', { signatureKey: 'a', notificationUrl: 'https://shop.example/hooks' });
      // @ts-expect-error the name of another provider's setting
      await configureProvider(shop, 'stripe', { webhookSecret: 'whsec_1', accessToken: 'a' });
      // @ts-expect-error a setting is missing
      await configureProvider(shop, 'paypal', { clientId: 'a', clientSecret: 'b' });
      // @ts-expect-error no such provider
      await configureProvider(shop, 'paypall', { clientId: 'a', clientSecret: 'b', webhookId: 'c' });
      // If the name is known only at run time, the operation checks the settings.
      await configureProvider(shop, name, { anything: 'else' });
    };
    expectTypeOf(configure).returns.resolves.toBeVoid();
  });
});
