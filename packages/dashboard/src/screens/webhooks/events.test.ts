import { eventTypes } from '@commerce/core';
import { describe, expect, it } from 'vitest';
import { eventNames, inOrder, summaryOf } from './events.ts';

describe('events of a subscription', () => {
  it('can all be chosen, but for the test, which nobody subscribes to', () => {
    expect([...eventNames, 'webhook.test'].sort()).toEqual(
      [...eventTypes, 'webhook.test'].sort().filter((name, i, all) => all.indexOf(name) === i),
    );
  });

  it('are told shortly', () => {
    expect(summaryOf(eventNames)).toBe('All events');
    expect(summaryOf(['payment.dismissed', 'payment.unmatched', 'order.paid'])).toBe(
      'Order paid, Payment without order, Payment dismissed',
    );
    expect(summaryOf(['payment.dismissed', 'payment.unmatched', 'payment.disputed'])).toBe('Payments');
    expect(inOrder(['payment.unmatched', 'order.paid', 'new.kind'])).toEqual([
      'order.paid',
      'payment.unmatched',
      'new.kind',
    ]);
  });
});
