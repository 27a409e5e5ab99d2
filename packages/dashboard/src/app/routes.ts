import type { ComponentType } from 'preact';
import type { Scope } from '../api/types.ts';
import type { IconName } from '../icons/icon.tsx';
import type { ScreenProps } from '../kit/page.tsx';
import { t } from '../words/words.ts';

const { screens } = t.app;

export interface Route {
  /** Path below the dashboard; parts with a leading colon are passed to the screen. */
  path: string;
  /** Name of the screen, in the navigation and on the page for a key without the scope. */
  label: string;
  /** Required scope: without it the screen says so, and the navigation leaves it out. */
  scope: Scope | undefined;
  load(): Promise<{ default: ComponentType<ScreenProps> }>;
  /** Position in the navigation: its group, a sign and the second key of `g …`. */
  nav: { group: Group; icon: IconName; key: string } | undefined;
}

/** A part of the navigation; its heading is in the words. */
export type Group = keyof typeof t.app.groups;

function screen(
  path: string,
  label: string,
  scope: Scope | undefined,
  load: Route['load'],
  nav?: readonly [group: Group, icon: IconName, key: string],
): Route {
  return { path, label, scope, load, nav: nav && { group: nav[0], icon: nav[1], key: nav[2] } };
}

/** Every screen, one a line; screens with a group, a sign and a key are in the navigation, in this order. */
export const routes: readonly Route[] = [
  screen('', screens.overview, undefined, () => import('../screens/overview/overview.tsx'), ['home', 'home', 'h']),
  screen('orders', screens.orders, 'order.read', () => import('../screens/orders/orders.tsx'), ['sell', 'orders', 'o']),
  screen('orders/new', t.newOrder.title, 'order.write', () => import('../screens/new-order/new-order.tsx')),
  screen('orders/:id', screens.orders, 'order.read', () => import('../screens/orders/order.tsx')),
  screen('orders/:id/slip', screens.orders, 'order.read', () => import('../screens/orders/slip.tsx')),
  screen('invoices', screens.invoices, 'order.read', () => import('../screens/invoices/invoices.tsx'), [
    'sell',
    'invoice',
    'v',
  ]),
  screen('payments', screens.payments, 'payment.read', () => import('../screens/payments/payments.tsx'), [
    'sell',
    'payments',
    'y',
  ]),
  screen('payments/providers', screens.providers, 'settings.read', () => import('../screens/payments/providers.tsx')),
  screen(
    'payments/providers/:provider',
    screens.providers,
    'settings.read',
    () => import('../screens/payments/provider.tsx'),
  ),
  screen('payments/:id', screens.payments, 'payment.read', () => import('../screens/payments/payment.tsx')),
  screen(
    'withdrawals',
    screens.withdrawals,
    'withdrawal.read',
    () => import('../screens/withdrawals/withdrawals.tsx'),
    ['sell', 'return', 'b'],
  ),
  screen(
    'withdrawals/:id',
    screens.withdrawals,
    'withdrawal.read',
    () => import('../screens/withdrawals/withdrawal.tsx'),
  ),
  screen('mails', screens.mails, 'mail.read', () => import('../screens/mails/mails.tsx'), ['sell', 'mail', 'e']),
  screen('mails/:id', screens.mails, 'mail.read', () => import('../screens/mails/mail.tsx')),
  screen('discounts', screens.discounts, 'discount.read', () => import('../screens/discounts/discounts.tsx'), [
    'sell',
    'discounts',
    'd',
  ]),
  screen('discounts/new', screens.discounts, 'discount.read', () => import('../screens/discounts/discount.tsx')),
  screen('discounts/:id', screens.discounts, 'discount.read', () => import('../screens/discounts/discount.tsx')),
  screen('products', screens.products, 'product.read', () => import('../screens/products/products.tsx'), [
    'catalogue',
    'products',
    'p',
  ]),
  screen('products/new', screens.products, 'product.write', () => import('../screens/products/new-product.tsx')),
  screen('products/feed', t.feedReport.title, 'product.read', () => import('../screens/feed/report.tsx')),
  screen('products/:id', screens.products, 'product.read', () => import('../screens/products/product.tsx')),
  screen('categories', screens.categories, 'category.read', () => import('../screens/categories/categories.tsx'), [
    'catalogue',
    'categories',
    't',
  ]),
  screen('categories/new', screens.categories, 'category.write', () => import('../screens/categories/category.tsx')),
  screen('categories/:id', screens.categories, 'category.read', () => import('../screens/categories/category.tsx')),
  screen('media', screens.media, 'media.read', () => import('../screens/media/media.tsx'), ['catalogue', 'media', 'm']),
  screen('imports', screens.transfer, 'product.read', () => import('../screens/transfer/imports.tsx'), [
    'catalogue',
    'import',
    'i',
  ]),
  screen('imports/:id', screens.transfer, 'product.read', () => import('../screens/transfer/import.tsx')),
  screen('pages', screens.pages, 'page.read', () => import('../screens/pages/pages.tsx'), ['content', 'pages', 'a']),
  screen('pages/new', screens.pages, 'page.read', () => import('../screens/pages/page.tsx')),
  screen('pages/:id', screens.pages, 'page.read', () => import('../screens/pages/page.tsx')),
  screen('customers', screens.customers, 'customer.read', () => import('../screens/customers/customers.tsx'), [
    'customers',
    'customers',
    'c',
  ]),
  screen('customers/new', screens.customers, 'customer.read', () => import('../screens/customers/customer-form.tsx')),
  screen('customers/:id', screens.customers, 'customer.read', () => import('../screens/customers/customer.tsx')),
  screen(
    'customers/:id/edit',
    screens.customers,
    'customer.read',
    () => import('../screens/customers/customer-form.tsx'),
  ),
  screen('statistics', screens.statistics, 'order.read', () => import('../screens/statistics/statistics.tsx'), [
    'statistics',
    'chart',
    'r',
  ]),
  screen('settings', screens.settings, 'settings.read', () => import('../screens/settings/settings.tsx'), [
    'settings',
    'settings',
    's',
  ]),
  screen('settings/mail-texts', screens.mailTexts, 'settings.read', () => import('../screens/mail-texts/texts.tsx')),
  screen(
    'settings/mail-texts/:kind/:locale',
    screens.mailTexts,
    'settings.read',
    () => import('../screens/mail-texts/text.tsx'),
  ),
  screen('keys', screens.keys, 'apiKey.read', () => import('../screens/keys/keys.tsx'), ['developers', 'keys', 'k']),
  screen('keys/new', screens.keys, 'apiKey.read', () => import('../screens/keys/key-form.tsx')),
  screen('keys/:id', screens.keys, 'apiKey.read', () => import('../screens/keys/key.tsx')),
  screen('webhooks', screens.webhooks, 'webhook.read', () => import('../screens/webhooks/webhooks.tsx'), [
    'developers',
    'webhooks',
    'w',
  ]),
  screen('webhooks/new', screens.webhooks, 'webhook.read', () => import('../screens/webhooks/webhook-form.tsx')),
  screen('webhooks/:id', screens.webhooks, 'webhook.read', () => import('../screens/webhooks/webhook.tsx')),
  screen('webhooks/:id/edit', screens.webhooks, 'webhook.read', () => import('../screens/webhooks/webhook-form.tsx')),
  screen(
    'webhooks/:id/deliveries/:deliveryId',
    screens.webhooks,
    'webhook.read',
    () => import('../screens/webhooks/delivery.tsx'),
  ),
  screen('subscribers/:name', screens.webhooks, 'webhook.read', () => import('../screens/webhooks/subscriber.tsx')),
  screen('audit', screens.audit, 'auditLog.read', () => import('../screens/audit/audit.tsx'), [
    'developers',
    'audit',
    'l',
  ]),
  screen('audit/:id', screens.audit, 'auditLog.read', () => import('../screens/audit/entry.tsx')),
  screen('people', screens.people, 'user.read', () => import('../screens/people/people.tsx'), [
    'settings',
    'lock',
    'u',
  ]),
  screen('people/new', screens.people, 'user.read', () => import('../screens/people/invite.tsx')),
  screen('people/:id', screens.people, 'user.read', () => import('../screens/people/person.tsx')),
  screen('account', screens.account, undefined, () => import('../screens/account/account.tsx')),
];
