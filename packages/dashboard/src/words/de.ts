import type { Words } from './en.ts';

/** Jeder Satz der Oberfläche auf Deutsch. */
export const de = {
  app: {},
  kit: {},
  overview: {},
  orders: {},
  customers: {},
  settings: {},

  products: {},
  categories: {},
  media: {},
  discounts: {},
  pages: {},

  payments: {},
  transfer: {},
  webhooks: {},
  keys: {},
  audit: {},
} satisfies Words;
