import type { ComponentType } from 'preact';
import type { Scope } from '../api/types.ts';
import type { IconName } from '../icons/icon.tsx';
import type { ScreenProps } from '../kit/page.tsx';

export interface Route {
  /** Path below the dashboard; parts with a leading colon are passed to the screen. */
  path: string;
  /** Name of the screen, in the navigation and on the page for a key without the scope. */
  label: string;
  /** Required scope: without it the screen says so, and the navigation leaves it out. */
  scope: Scope | undefined;
  load(): Promise<{ default: ComponentType<ScreenProps> }>;
  /** Position in the navigation, with a sign and the second key of `g …`. */
  nav: { icon: IconName; key: string } | undefined;
}

function screen(
  path: string,
  label: string,
  scope: Scope | undefined,
  load: Route['load'],
  nav?: readonly [icon: IconName, key: string],
): Route {
  return { path, label, scope, load, nav: nav && { icon: nav[0], key: nav[1] } };
}

/** Every screen, one a line; screens with a sign and a key are in the navigation, in this order. */
export const routes: readonly Route[] = [
  screen('', 'Overview', undefined, () => import('../screens/overview/overview.tsx'), ['home', 'h']),
  screen('orders', 'Orders', 'order.read', () => import('../screens/orders/orders.tsx'), ['orders', 'o']),
  screen('orders/:id', 'Orders', 'order.read', () => import('../screens/orders/order.tsx')),
  screen('orders/:id/slip', 'Orders', 'order.read', () => import('../screens/orders/slip.tsx')),
  screen('products', 'Products', 'product.read', () => import('../screens/products/products.tsx'), ['products', 'p']),
  screen('products/new', 'Products', 'product.write', () => import('../screens/products/new-product.tsx')),
  screen('products/:id', 'Products', 'product.read', () => import('../screens/products/product.tsx')),
  screen('products/:id/variants', 'Products', 'product.read', () => import('../screens/products/variants.tsx')),
  screen('categories', 'Categories', 'category.read', () => import('../screens/categories/categories.tsx'), [
    'categories',
    't',
  ]),
  screen('categories/new', 'Categories', 'category.write', () => import('../screens/categories/category.tsx')),
  screen('categories/:id', 'Categories', 'category.read', () => import('../screens/categories/category.tsx')),
  screen('media', 'Media', 'media.read', () => import('../screens/media/media.tsx'), ['media', 'm']),
  screen('imports', 'Import and export', 'product.read', () => import('../screens/transfer/imports.tsx'), [
    'import',
    'i',
  ]),
  screen('imports/:id', 'Imports', 'product.read', () => import('../screens/transfer/import.tsx')),
  screen('customers', 'Customers', 'customer.read', () => import('../screens/customers/customers.tsx'), [
    'customers',
    'c',
  ]),
  screen('customers/new', 'Customers', 'customer.read', () => import('../screens/customers/customer-form.tsx')),
  screen('customers/:id', 'Customers', 'customer.read', () => import('../screens/customers/customer.tsx')),
  screen('customers/:id/edit', 'Customers', 'customer.read', () => import('../screens/customers/customer-form.tsx')),
  screen('pages', 'Pages', 'page.read', () => import('../screens/pages/pages.tsx'), ['pages', 'a']),
  screen('pages/new', 'Pages', 'page.read', () => import('../screens/pages/page.tsx')),
  screen('pages/:id', 'Pages', 'page.read', () => import('../screens/pages/page.tsx')),
  screen('discounts', 'Discounts', 'discount.read', () => import('../screens/discounts/discounts.tsx'), [
    'discounts',
    'd',
  ]),
  screen('discounts/new', 'Discounts', 'discount.read', () => import('../screens/discounts/discount.tsx')),
  screen('discounts/:id', 'Discounts', 'discount.read', () => import('../screens/discounts/discount.tsx')),
  screen('payments', 'Payments', 'payment.read', () => import('../screens/payments/payments.tsx'), ['payments', 'y']),
  screen('payments/providers', 'Payment providers', 'settings.read', () => import('../screens/payments/providers.tsx')),
  screen(
    'payments/providers/:provider',
    'Payment providers',
    'settings.read',
    () => import('../screens/payments/provider.tsx'),
  ),
  screen('payments/:id', 'Payments', 'payment.read', () => import('../screens/payments/payment.tsx')),
  screen('webhooks', 'Webhooks', 'webhook.read', () => import('../screens/webhooks/webhooks.tsx'), ['webhooks', 'w']),
  screen('webhooks/new', 'Webhooks', 'webhook.read', () => import('../screens/webhooks/webhook-form.tsx')),
  screen('webhooks/:id', 'Webhooks', 'webhook.read', () => import('../screens/webhooks/webhook.tsx')),
  screen('webhooks/:id/edit', 'Webhooks', 'webhook.read', () => import('../screens/webhooks/webhook-form.tsx')),
  screen(
    'webhooks/:id/deliveries/:deliveryId',
    'Webhooks',
    'webhook.read',
    () => import('../screens/webhooks/delivery.tsx'),
  ),
  screen('keys', 'API keys', 'apiKey.read', () => import('../screens/keys/keys.tsx'), ['keys', 'k']),
  screen('keys/new', 'API keys', 'apiKey.read', () => import('../screens/keys/key-form.tsx')),
  screen('keys/:id', 'API keys', 'apiKey.read', () => import('../screens/keys/key.tsx')),
  screen('audit', 'Audit log', 'auditLog.read', () => import('../screens/audit/audit.tsx'), ['audit', 'l']),
  screen('audit/:id', 'Audit log', 'auditLog.read', () => import('../screens/audit/entry.tsx')),
  screen('settings', 'Store settings', 'settings.read', () => import('../screens/settings/settings.tsx'), [
    'settings',
    's',
  ]),
];
