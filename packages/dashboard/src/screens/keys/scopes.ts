import type { Scope } from '../../api/types.ts';

export const actions = ['read', 'write', 'delete'] as const;
export type Action = (typeof actions)[number];

export const actionLabels: Record<Action, string> = { read: 'See', write: 'Change', delete: 'Delete' };

/** Subjects of scopes, each with its actions. */
export const resources: readonly (readonly [resource: string, label: string, actions: readonly Action[]])[] = [
  ['order', 'Orders', ['read', 'write']],
  ['product', 'Products and stock', actions],
  ['category', 'Categories', actions],
  ['customer', 'Customers', actions],
  ['discount', 'Discounts', actions],
  ['page', 'Pages', actions],
  ['media', 'Media', actions],
  ['payment', 'Payments', ['read', 'write']],
  ['checkout', 'Checkouts', ['read', 'write']],
  ['webhook', 'Webhooks', actions],
  ['apiKey', 'API keys', actions],
  ['settings', 'Settings and providers', ['read', 'write']],
  ['auditLog', 'Audit log', ['read']],
];

export const scopeOf = (resource: string, action: Action): Scope => `${resource}.${action}` as Scope;

/** Every scope that guards an operation, in the order of the grid. */
export const allScopes: readonly Scope[] = resources.flatMap(([resource, , own]) =>
  own.map((action) => scopeOf(resource, action)),
);
