import { getShop } from '@commerce/core';
import { cached, item } from './answers.ts';
import { type Route, route } from './router.ts';

export const shopRoutes: readonly Route[] = [
  route('GET', '/shop', 'checkout.read', {
    name: 'getShop',
    summary: 'Get what pages of the shop must know before they sell',
    description:
      'Currency, country, language, ways to ship and to pay, the pages with texts that buyers must be able to read, and who sells. The settings are its source.',
    isKept: true,
    answer: cached(item('Shop'), 60),
    run: getShop,
  }),
];
