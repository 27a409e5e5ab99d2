/**
 * Each sentence of the dashboard, in English. A sentence with a number or a name is a function; a sentence that contains an element has its
 * place in braces, which `filled` fills. Another language is another file with the same keys, which `satisfies Words` checks.
 */
export const en = {
  /** The frame, navigation, search, sign-in, shortcuts. */
  app: {},
  /** Parts that all screens share: buttons, lists, forms, dialogs, states, refusals. */
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
};

/** The sentences of a language: the keys of the English ones, with texts of their own. */
export type Words = typeof en;
