import { describe, expect, it } from 'vitest';
import { addressAt, methodOf } from './payment.ts';

describe('a way to pay', () => {
  it('is told in words', () => {
    expect(methodOf('stripe', 'card')).toBe('Card via Stripe');
    expect(methodOf('stripe', 'amazon_pay')).toBe('Amazon Pay via Stripe');
    expect(methodOf('stripe', 'new_pay')).toBe('New pay via Stripe');
    expect(methodOf('stripe', null)).toBe('Stripe');
    expect(methodOf('paypal', 'paypal')).toBe('PayPal');
    expect(methodOf('manual', 'transfer')).toBe('Bank transfer');
    expect(methodOf('manual', 'in_the_shop')).toBe('In the shop');
    expect(methodOf('manual', 'constructor')).toBe('Constructor');
    expect(methodOf('manual', null)).toBe('Recorded by hand');
  });

  it('has a page at its provider, and none if the shop recorded it', () => {
    expect(addressAt('stripe', 'pi_1', false)).toBe('https://dashboard.stripe.com/payments/pi_1');
    expect(addressAt('stripe', 'pi_1', true)).toBe('https://dashboard.stripe.com/test/payments/pi_1');
    expect(addressAt('stripe', 'cs_test_1', true)).toBeUndefined();
    expect(addressAt('paypal', '3C67', true)).toBe('https://www.sandbox.paypal.com/activity/payment/3C67');
    // An id comes from outside, and stays within the path.
    expect(addressAt('square', '../x?y', false)).toBe(
      'https://app.squareup.com/dashboard/sales/transactions/..%2Fx%3Fy',
    );
    expect(addressAt('manual', 'x', false)).toBeUndefined();
  });
});
