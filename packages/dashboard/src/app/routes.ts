import type { ComponentType } from 'preact';
import type { Scope } from '../api/types.ts';
import type { IconName } from '../icons/icon.tsx';

/** A screen gets the named parts of its path. */
export interface ScreenProps {
  params: Record<string, string>;
}

export interface Route {
  /** Path below the dashboard; parts that begin with a colon are handed to the screen. */
  path: string;
  /** What the screen is called, where it can be refused. */
  label: string;
  /** Scope without which the screen says what is missing, and the navigation leaves it out. */
  scope?: Scope;
  load(): Promise<{ default: ComponentType<ScreenProps> }>;
  /** Place in the navigation, with a sign and the second key of `g …`. */
  nav?: { icon: IconName; key: string };
}

/** Every screen in one line; those with `nav` stand in the navigation in this order. */
export const routes: readonly Route[] = [
  {
    path: '',
    label: 'Overview',
    load: () => import('../screens/overview/overview.tsx'),
    nav: { icon: 'home', key: 'h' },
  },
  {
    path: 'orders',
    label: 'Orders',
    scope: 'order.read',
    load: () => import('../screens/orders/orders.tsx'),
    nav: { icon: 'orders', key: 'o' },
  },
  { path: 'orders/:id', label: 'Orders', scope: 'order.read', load: () => import('../screens/orders/order.tsx') },
  { path: 'orders/:id/slip', label: 'Orders', scope: 'order.read', load: () => import('../screens/orders/slip.tsx') },
  {
    path: 'products',
    label: 'Products',
    scope: 'product.read',
    load: () => import('../screens/products/products.tsx'),
    nav: { icon: 'products', key: 'p' },
  },
  {
    path: 'products/new',
    label: 'Products',
    scope: 'product.write',
    load: () => import('../screens/products/new-product.tsx'),
  },
  {
    path: 'products/:id',
    label: 'Products',
    scope: 'product.read',
    load: () => import('../screens/products/product.tsx'),
  },
  {
    path: 'products/:id/variants',
    label: 'Products',
    scope: 'product.read',
    load: () => import('../screens/products/variants.tsx'),
  },
  {
    path: 'categories',
    label: 'Categories',
    scope: 'category.read',
    load: () => import('../screens/categories/categories.tsx'),
    nav: { icon: 'categories', key: 't' },
  },
  {
    path: 'categories/new',
    label: 'Categories',
    scope: 'category.write',
    load: () => import('../screens/categories/category.tsx'),
  },
  {
    path: 'categories/:id',
    label: 'Categories',
    scope: 'category.read',
    load: () => import('../screens/categories/category.tsx'),
  },
  {
    path: 'media',
    label: 'Media',
    scope: 'media.read',
    load: () => import('../screens/media/media.tsx'),
    nav: { icon: 'media', key: 'm' },
  },
  {
    path: 'imports',
    label: 'Import and export',
    scope: 'product.read',
    load: () => import('../screens/transfer/imports.tsx'),
    nav: { icon: 'import', key: 'i' },
  },
  {
    path: 'imports/:id',
    label: 'Imports',
    scope: 'product.read',
    load: () => import('../screens/transfer/import.tsx'),
  },
  {
    path: 'customers',
    label: 'Customers',
    scope: 'customer.read',
    load: () => import('../screens/customers/customers.tsx'),
    nav: { icon: 'customers', key: 'c' },
  },
  {
    path: 'customers/new',
    label: 'Customers',
    scope: 'customer.read',
    load: () => import('../screens/customers/customer-form.tsx'),
  },
  {
    path: 'customers/:id',
    label: 'Customers',
    scope: 'customer.read',
    load: () => import('../screens/customers/customer.tsx'),
  },
  {
    path: 'customers/:id/edit',
    label: 'Customers',
    scope: 'customer.read',
    load: () => import('../screens/customers/customer-form.tsx'),
  },
  {
    path: 'pages',
    label: 'Pages',
    scope: 'page.read',
    load: () => import('../screens/pages/pages.tsx'),
    nav: { icon: 'pages', key: 'a' },
  },
  { path: 'pages/new', label: 'Pages', scope: 'page.read', load: () => import('../screens/pages/page.tsx') },
  { path: 'pages/:id', label: 'Pages', scope: 'page.read', load: () => import('../screens/pages/page.tsx') },
  {
    path: 'discounts',
    label: 'Discounts',
    scope: 'discount.read',
    load: () => import('../screens/discounts/discounts.tsx'),
    nav: { icon: 'discounts', key: 'd' },
  },
  {
    path: 'discounts/new',
    label: 'Discounts',
    scope: 'discount.read',
    load: () => import('../screens/discounts/discount.tsx'),
  },
  {
    path: 'discounts/:id',
    label: 'Discounts',
    scope: 'discount.read',
    load: () => import('../screens/discounts/discount.tsx'),
  },
  {
    path: 'payments',
    label: 'Payments',
    scope: 'payment.read',
    load: () => import('../screens/payments/payments.tsx'),
    nav: { icon: 'payments', key: 'y' },
  },
  {
    path: 'payments/providers',
    label: 'Payment providers',
    scope: 'settings.read',
    load: () => import('../screens/payments/providers.tsx'),
  },
  {
    path: 'payments/providers/:provider',
    label: 'Payment providers',
    scope: 'settings.read',
    load: () => import('../screens/payments/provider.tsx'),
  },
  {
    path: 'payments/:id',
    label: 'Payments',
    scope: 'payment.read',
    load: () => import('../screens/payments/payment.tsx'),
  },
  {
    path: 'webhooks',
    label: 'Webhooks',
    scope: 'webhook.read',
    load: () => import('../screens/webhooks/webhooks.tsx'),
    nav: { icon: 'webhooks', key: 'w' },
  },
  {
    path: 'webhooks/new',
    label: 'Webhooks',
    scope: 'webhook.read',
    load: () => import('../screens/webhooks/webhook-form.tsx'),
  },
  {
    path: 'webhooks/:id',
    label: 'Webhooks',
    scope: 'webhook.read',
    load: () => import('../screens/webhooks/webhook.tsx'),
  },
  {
    path: 'webhooks/:id/edit',
    label: 'Webhooks',
    scope: 'webhook.read',
    load: () => import('../screens/webhooks/webhook-form.tsx'),
  },
  {
    path: 'webhooks/:id/deliveries/:deliveryId',
    label: 'Webhooks',
    scope: 'webhook.read',
    load: () => import('../screens/webhooks/delivery.tsx'),
  },
  {
    path: 'keys',
    label: 'API keys',
    scope: 'apiKey.read',
    load: () => import('../screens/keys/keys.tsx'),
    nav: { icon: 'keys', key: 'k' },
  },
  { path: 'keys/new', label: 'API keys', scope: 'apiKey.read', load: () => import('../screens/keys/key-form.tsx') },
  { path: 'keys/:id', label: 'API keys', scope: 'apiKey.read', load: () => import('../screens/keys/key.tsx') },
  {
    path: 'audit',
    label: 'Audit log',
    scope: 'auditLog.read',
    load: () => import('../screens/audit/audit.tsx'),
    nav: { icon: 'audit', key: 'l' },
  },
  { path: 'audit/:id', label: 'Audit log', scope: 'auditLog.read', load: () => import('../screens/audit/entry.tsx') },
  {
    path: 'settings',
    label: 'Store settings',
    scope: 'settings.read',
    load: () => import('../screens/settings/settings.tsx'),
    nav: { icon: 'settings', key: 's' },
  },
];
