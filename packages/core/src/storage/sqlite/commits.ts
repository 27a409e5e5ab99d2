import { closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';

/** Offset of the number in SQLite's index of the log, `iChange` in https://sqlite.org/walformat.html. */
const offset = 8;

interface Index {
  readonly file: number;
  /** Commit numbers that read it. */
  users: number;
}

/**
 * Open indexes, by device and inode. They stay open while the file exists: closing one would release every lock of this process's connections
 * on it. SQLite deletes the file with the last connection of any process.
 */
const indexes = new Map<string, Index>();

/**
 * A number that every commit to a file changes, in any process, before the commit returns. Reading it takes one to three microseconds;
 * asking SQLite takes locks on the file.
 */
export class CommitNumber {
  readonly #index: Index;
  readonly #number = Buffer.alloc(4);

  /** @param file database in WAL mode that this process has opened and read */
  constructor(file: string) {
    // SQLite has it beside the file itself, whatever link leads there.
    this.#index = openIndex(`${realpathSync(file)}-shm`);
    this.#index.users++;
  }

  read(): number {
    readSync(this.#index.file, this.#number, 0, 4, offset);
    return this.#number.readUInt32LE(0);
  }

  /** Called after the connections were closed; closes the index if no connection of any process is left. */
  close(): void {
    this.#index.users--;
    for (const [name, { file, users }] of indexes) {
      if (users > 0 || fstatSync(file).nlink > 0) continue;
      indexes.delete(name);
      closeSync(file);
    }
  }
}

function openIndex(path: string): Index {
  const { dev, ino } = statSync(path);
  const known = indexes.get(`${dev} ${ino}`);
  if (known) return known;
  const file = openSync(path, 'r');
  const found = fstatSync(file);
  const index = { file, users: 0 };
  indexes.set(`${found.dev} ${found.ino}`, index);
  return index;
}
