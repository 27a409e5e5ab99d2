import { quote } from '../kernel/errors.ts';
import { type Noun, nounNames, nouns } from '../kernel/nouns.ts';

const capabilities = ['read', 'write', 'delete'] as const;

/** Scopes that are not made of all three capabilities. */
const others = [
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
  'mail.read',
  'mail.write',
  'withdrawal.read',
  'withdrawal.write',
] as const;

type Whole = Noun | 'order' | 'media' | 'webhook' | 'apiKey' | 'user';

export type Scope = `${Whole}.${(typeof capabilities)[number]}` | (typeof others)[number];

const [first, ...rest] = nounNames;

/** Every scope that a key can hold. `order.delete` protects nothing and `order.write` is deprecated, but both are accepted. */
export const scopes: readonly Scope[] = [
  ...[
    first as Noun,
    'order' as const,
    ...rest,
    'media' as const,
    'webhook' as const,
    'apiKey' as const,
    'user' as const,
  ].flatMap((resource) => capabilities.map((capability) => `${resource}.${capability}` as const)),
  ...others,
];

/** Named sets of scopes: all of them, or all read scopes. */
export const scopePresets = {
  full: scopes,
  read: scopes.filter((scope) => scope.endsWith('.read')),
} as const satisfies Record<string, readonly Scope[]>;

const startsWith =
  (...starts: readonly string[]) =>
  (scope: Scope) =>
    starts.some((start) => scope.startsWith(start));

/** Roles of the people who sign in to the dashboard, with their scopes. */
export const roles = {
  owner: scopes,
  manager: scopes.filter((scope) => !startsWith('user.', 'apiKey.')(scope) && scope !== 'settings.write'),
  // Also counts stock, by the one route that names this role.
  fulfilment: scopes.filter(startsWith('order.', 'product.read', 'category.read', 'customer.read', 'media.read')),
  reader: scopePresets.read.filter((scope) => !startsWith('user.', 'apiKey.')(scope)),
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof roles;

export const roleNames = Object.keys(roles) as [Role, ...Role[]];

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

const plurals: Readonly<Record<string, string>> = {
  ...Object.fromEntries(nounNames.map((noun) => [noun, nouns[noun].table])),
  media: 'media',
  settings: 'settings',
};

const spellings = new Map<string, Scope>(
  scopes.flatMap((scope) => {
    const [resource = '', capability = ''] = scope.split('.');
    const plural = plurals[resource] ?? `${resource}s`;
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
