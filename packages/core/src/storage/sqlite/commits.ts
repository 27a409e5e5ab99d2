import { fstatSync, openSync, readSync, statSync } from 'node:fs';

/** Offset of the number in SQLite's index of the log, `iChange` in https://sqlite.org/walformat.html. */
const offset = 8;

/**
 * Open indexes, by device and inode. They stay open until the process ends: closing one would release every lock of this process's
 * connections on it.
 */
const indexes = new Map<string, number>();

/**
 * A number that every commit to a file changes, in any process, before the commit returns. Reading it takes one to three microseconds;
 * asking SQLite takes locks on the file.
 */
export class CommitNumber {
  readonly #index: number;
  readonly #number = Buffer.alloc(4);

  /** @param file database in WAL mode that this process has opened and read */
  constructor(file: string) {
    this.#index = openIndex(`${file}-shm`);
  }

  read(): number {
    readSync(this.#index, this.#number, 0, 4, offset);
    return this.#number.readUInt32LE(0);
  }
}

function openIndex(path: string): number {
  const { dev, ino } = statSync(path);
  const known = indexes.get(`${dev} ${ino}`);
  if (known !== undefined) return known;
  const opened = openSync(path, 'r');
  const found = fstatSync(opened);
  indexes.set(`${found.dev} ${found.ino}`, opened);
  return opened;
}
