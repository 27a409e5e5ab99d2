import { initial } from './0001_initial.ts';
import type { Migration } from './migration.ts';

/**
 * All migrations, in the order in which they run. They import only code that never changes. After 0.1.0 is tagged, a released migration is
 * never edited.
 */
export const migrations: readonly Migration[] = [initial];
