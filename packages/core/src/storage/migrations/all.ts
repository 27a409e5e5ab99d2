import { initial } from './0001_initial.ts';
import type { Migration } from './migration.ts';

/**
 * All migrations, in the order in which they run. Each imports no code that may change. Once 0.1.0 is tagged, none that was released is
 * edited.
 */
export const migrations: readonly Migration[] = [initial];
