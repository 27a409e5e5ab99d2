import { describe, expectTypeOf, it } from 'vitest';
import {
  type ApiKeyInput,
  type CheckoutInput,
  type Commerce,
  configureProvider,
  type OrderInput,
  type OrderQueryInput,
  type ProductQueryInput,
  type QuoteInput,
  type Scope,
  type WebhookInput,
} from './index.ts';

// What TypeScript refuses before it runs. Run time refuses the same, and reads other spellings, too.
describe('the types of inputs', () => {
  it('name scopes, events and providers', () => {
    expectTypeOf<NonNullable<ApiKeyInput['scopes']>>().toEqualTypeOf<readonly Scope[]>();
    // @ts-expect-error A mistyped scope.
    expectTypeOf<'product.reed'>().toExtend<Scope>();
    // @ts-expect-error A mistyped event.
    expectTypeOf<{ url: string; events: ['order.payed'] }>().toExtend<WebhookInput>();
    expectTypeOf<{ url: string; events: ['order.*', 'product.updated'] }>().toExtend<WebhookInput>();
    type Receive = Parameters<Commerce['receiveNotification']>[0];
    expectTypeOf<Receive>().toEqualTypeOf<'stripe' | 'paypal' | 'square'>();
    expectTypeOf(configureProvider<'stripe'>)
      .parameter(1)
      .toEqualTypeOf<'stripe'>();
    // @ts-expect-error No provider of ours.
    expectTypeOf<'mollie'>().toExtend<CheckoutInput['provider']>();
  });

  it('want the product of a line by its id or its SKU, not by both', () => {
    type Line = CheckoutInput['items'][number];
    expectTypeOf<{ productId: string; quantity: number }>().toExtend<Line>();
    expectTypeOf<{ sku: string; quantity: number }>().toExtend<Line>();
    // @ts-expect-error No product.
    expectTypeOf<{ quantity: number }>().toExtend<Line>();
    // @ts-expect-error Two of them.
    expectTypeOf<{ sku: string; productId: string; quantity: number }>().toExtend<Line>();
    // @ts-expect-error No product.
    expectTypeOf<{ quantity: number }>().toExtend<OrderInput['items'][number]>();
    // @ts-expect-error No product.
    expectTypeOf<{ quantity: number }>().toExtend<QuoteInput['items'][number]>();
  });

  it('want numbers for the window of a list', () => {
    expectTypeOf<NonNullable<ProductQueryInput['limit']>>().toEqualTypeOf<number>();
    expectTypeOf<NonNullable<OrderQueryInput['offset']>>().toEqualTypeOf<number>();
  });
});
