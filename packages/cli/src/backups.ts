import { spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { datedFiles } from './backup-folder.ts';
import type { MediaFileOptions } from './media-options.ts';
import { UsageError } from './usage-error.ts';

interface Schedule extends MediaFileOptions {
  db: string;
  backupEvery: number;
  backupKeep: number;
  backupMedia: boolean;
}

/** Milliseconds between checks whether a backup is due. */
const interval = 60_000;

/**
 * Creates the folder of backups if it does not exist. Runs before anything is served, so that a start with a wrong folder changes nothing.
 * @throws UsageError if backups cannot be written there
 */
export function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as { code?: string };
    const reason = code === 'EEXIST' ? 'it is not a folder' : 'this user cannot create it or write to it';
    throw new UsageError(`--backup: cannot write backups to ${JSON.stringify(folder)}: ${reason} (${code})`);
  }
}

/**
 * Writes backups of the served database into a folder. Each runs in its own process, so that none delays a request. The newest file gives
 * the time of the last backup, also after a restart.
 * @param failed is called for each backup that fails; the next look tries again
 * @param write writes one backup
 * @returns a function that stops, and ends the backup that is running
 */
export function startBackups(folder: string, schedule: Schedule, failed: (error: unknown) => void, write = backup) {
  const ending = new AbortController();
  let running: Promise<void> | undefined;
  const look = () => {
    running ??= writeWhenDue(folder, schedule, () => write(folder, schedule, ending.signal))
      .catch((error) => {
        if (!ending.signal.aborted) failed(error);
      })
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(look, interval);
  timer.unref();
  look();
  return {
    async stop(): Promise<void> {
      clearInterval(timer);
      ending.abort();
      await running;
    },
  };
}

/** A folder that is gone is not created again. It may be a disk that is not mounted, and the folder below the mount point would fill up. */
async function writeWhenDue(folder: string, { backupEvery }: Schedule, write: () => Promise<void>): Promise<void> {
  const now = Date.now();
  // A clock that was set back leaves files with a future time, which say nothing about the last backup.
  const times = datedFiles(folder).map(({ mtimeMs }) => mtimeMs);
  const newest = Math.max(0, ...times.filter((time) => time <= now));
  if (now - newest >= backupEvery) await write();
}

async function backup(folder: string, schedule: Schedule, signal: AbortSignal): Promise<void> {
  const { db, backupKeep, backupMedia, mediaDir, mediaS3Endpoint, mediaS3Bucket, mediaS3Region, mediaS3Prefix } =
    schedule;
  const place = [
    ...['--media-dir', mediaDir],
    ...(mediaS3Endpoint && mediaS3Bucket
      ? ['--media-s3-endpoint', mediaS3Endpoint, '--media-s3-bucket', mediaS3Bucket]
      : []),
    ...['--media-s3-region', mediaS3Region, '--media-s3-prefix', mediaS3Prefix],
  ];
  const args = [
    'backup',
    folder,
    '--keep',
    String(backupKeep),
    '--quiet',
    ...(backupMedia ? ['--media', ...place] : []),
  ];
  // The database address may contain a password: the process list shows arguments, but not the environment.
  const env = { ...process.env, COMMERCE_DB: db };
  const child = spawn(process.execPath, [process.argv[1] ?? '', ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  const [code, message] = await Promise.all([ended, text(child.stderr)]);
  if (code !== 0) throw new Error(`the backup failed with ${code}: ${message.trim()}`);
}
