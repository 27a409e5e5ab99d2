import { quote } from '../kernel/errors.ts';

/** Every scope that a key can hold. `order.delete` protects nothing and `order.write` is deprecated, but both are accepted. */
export const scopes = [
  'product.read',
  'product.write',
  'product.delete',
  'order.read',
  'order.write',
  'order.delete',
  'customer.read',
  'customer.write',
  'customer.delete',
  'category.read',
  'category.write',
  'category.delete',
  'page.read',
  'page.write',
  'page.delete',
  'media.read',
  'media.write',
  'media.delete',
  'webhook.read',
  'webhook.write',
  'webhook.delete',
  'apiKey.read',
  'apiKey.write',
  'apiKey.delete',
  'auditLog.read',
  'payment.read',
  'payment.write',
  'settings.read',
  'settings.write',
  'discount.read',
  'discount.write',
  'discount.delete',
  'checkout.read',
  'checkout.write',
] as const;

export type Scope = (typeof scopes)[number];

/** Named sets of scopes: all of them, or all read scopes. */
export const scopePresets = {
  full: scopes,
  read: scopes.filter((scope) => scope.endsWith('.read')),
} as const satisfies Record<string, readonly Scope[]>;

/**
 * Scopes of every storefront key, which anyone can read in a page: the contents of a page, and checkouts. Such a key sees less of these
 * resources than its scopes say; see `Actor.isPublic`.
 */
export const storefrontScopes = [
  'product.read',
  'category.read',
  'page.read',
  'media.read',
  'checkout.read',
  'checkout.write',
] as const satisfies readonly Scope[];

const irregular: Readonly<Record<string, string>> = { category: 'categories', media: 'media', settings: 'settings' };

const spellings = new Map<string, Scope>(
  scopes.flatMap((scope) => {
    const [resource = '', capability = ''] = scope.split('.');
    const plural = irregular[resource] ?? `${resource}s`;
    return [
      [scope, scope],
      [`${resource}:${capability}`, scope],
      [`${plural}:${capability}`, scope],
      [`${plural}.${capability}`, scope],
    ] as const;
  }),
);

/** The scope of a spelling: `product.write`, `product:write` and `products:write` are the same. */
export function readScope(spelling: string): Scope | undefined {
  return spellings.get(spelling);
}

export function unknownScope(spelling: string): string {
  return `${quote(spelling)} is not a scope; a scope is <resource>.<read|write|delete>, such as "product.read"`;
}
