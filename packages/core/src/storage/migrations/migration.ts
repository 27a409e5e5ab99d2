import type { Db, Storage } from '../storage.ts';

/** A step from the tables of one version to those of the next. */
export interface Migration {
  /** Four digits, which order the migrations, and words: `0002_gift_cards`. */
  name: string;
  /** Whether it changes or removes stored data, and does not only add to it; a file is copied first. */
  rewritesRows: boolean;
  /**
   * Whether servers of the version before can continue to use the database. Everything that they write must be valid without the additions
   * of the migration, and everything that they read must still exist.
   */
  letsOlderServersRun: boolean;
  up(db: Db, storage: Storage): Promise<void>;
}
