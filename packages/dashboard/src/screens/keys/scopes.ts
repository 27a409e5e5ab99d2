import type { Scope } from '../../api/types.ts';
import { t } from '../../words/words.ts';

export const actions = ['read', 'write', 'delete'] as const;
export type Action = (typeof actions)[number];

export const actionLabels: Record<Action, string> = t.keys.actions;

type Resource = keyof typeof t.keys.resources;

/** The actions of each resource that scopes guard. */
const actionsOf: Record<Resource, readonly Action[]> = {
  order: ['read', 'write'],
  product: actions,
  category: actions,
  customer: actions,
  discount: actions,
  page: actions,
  media: actions,
  payment: ['read', 'write'],
  checkout: ['read', 'write'],
  webhook: actions,
  apiKey: actions,
  settings: ['read', 'write'],
  mail: ['read', 'write'],
  withdrawal: ['read', 'write'],
  user: ['read', 'write', 'delete'],
  auditLog: ['read'],
};

/** Subjects of scopes, each with its actions. */
export const resources: readonly (readonly [resource: Resource, label: string, actions: readonly Action[]])[] = (
  Object.keys(actionsOf) as Resource[]
).map((resource) => [resource, t.keys.resources[resource], actionsOf[resource]]);

export const scopeOf = (resource: string, action: Action): Scope => `${resource}.${action}` as Scope;

/** Every scope that guards an operation, in the order of the grid. */
export const allScopes: readonly Scope[] = resources.flatMap(([resource, , own]) =>
  own.map((action) => scopeOf(resource, action)),
);

/** A scope in words: "Orders: view". */
export function scopeWords(scope: string): string {
  const [resource = '', action = ''] = scope.split('.');
  const labels: Record<string, string> = t.keys.resources;
  const verbs: Record<string, string> = actionLabels;
  const [label, verb] = [labels[resource], verbs[action]];
  return label && verb ? t.keys.permissions.one(label, verb) : scope;
}
