import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Far more bytes than the files of a run need. */
const enough = 6e9;
const shared = '/dev/shm';
const prefix = 'commerce-run-';
/** Age in milliseconds at which an unused folder must be from a killed run. */
const maxAge = 6 * 3_600_000;

/**
 * Puts the temporary files of the run, such as databases, into one folder that is removed at its end. The folder is in memory if the
 * machine has enough, because SQLite waits for the disk at every commit. No file of a test has to survive a power cut.
 *
 * Node.js keeps compiled code there, which is a fifth of the processor time of a command, and tests run thousands. Nobody else can write
 * into the folder.
 */
export default function setup(): () => void {
  const before = process.env.TMPDIR;
  const parent = hasMemory() ? shared : tmpdir();
  removeLeft(parent);
  const folder = mkdtempSync(join(parent, prefix));
  // The server of PostgreSQL can run as another user.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // An interrupted run does not reach its end.
  process.once('exit', remove);
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    delete process.env.NODE_COMPILE_CACHE;
    remove();
  };
}

/** Removes leftovers of killed runs, which would occupy memory. */
function removeLeft(parent: string): void {
  for (const name of readdirSync(parent).filter((name) => name.startsWith(prefix))) {
    const folder = join(parent, name);
    try {
      if (Date.now() - statSync(folder).mtimeMs > maxAge) rmSync(folder, { recursive: true, force: true });
    } catch {
      // It belongs to another user, or is already gone.
    }
  }
}

function hasMemory(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    accessSync(shared, constants.W_OK);
    const { bavail, bsize } = statfsSync(shared);
    const available = Number(/^MemAvailable: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]) * 1024;
    return Math.min(bavail * bsize, available) > enough;
  } catch {
    return false;
  }
}
