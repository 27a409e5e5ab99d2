import type { Db, Storage } from '../storage.ts';

/** A step from the tables of one version to those of the next. */
export interface Migration {
  /** Four digits, by which migrations are ordered, and words: `0002_gift_cards`. */
  name: string;
  /** Whether it changes or removes what is stored, beyond adding to it: a copy of a file is kept before. */
  rewritesRows: boolean;
  /**
   * Whether servers of the version before may continue to use the database: everything that they write is right without what the
   * migration adds, and everything that they read is still there.
   */
  letsOlderServersRun: boolean;
  up(db: Db, storage: Storage): Promise<void>;
}
