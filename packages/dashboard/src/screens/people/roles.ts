import type { Schemas } from '../../api/types.ts';
import { t } from '../../words/words.ts';

export type User = Schemas['User'];
export type Role = User['role'];

const { roles } = t.people;

/** The roles, with what each may do. */
export const roleNames = Object.keys(roles) as Role[];

export const roleOptions: readonly (readonly [Role, string])[] = roleNames.map((role) => [role, roles[role].name]);

roles satisfies Record<Role, { name: string; about: string }>;
