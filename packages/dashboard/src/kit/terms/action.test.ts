import { expect, it } from 'vitest';
import { actionWords } from './action.ts';

it('An action in words follows from its resource and its verb, unless it has words of its own', () => {
  expect(actionWords('order.cancelled')).toBe('Order cancelled');
  expect(actionWords('apiKey.created')).toBe('API key created');
  expect(actionWords('product.stock_adjusted')).toBe('Stock adjusted');
  expect(actionWords('giftCard.filled_up')).toBe('gift card filled up');
  expect(actionWords('constructor.toString')).toBe('constructor to string');
});
