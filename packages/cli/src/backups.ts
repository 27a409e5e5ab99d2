import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { dated } from './commands/backup.ts';
import type { MediaFileOptions } from './media-options.ts';

interface Schedule extends MediaFileOptions {
  db: string;
  backupEvery: number;
  backupKeep: number;
  backupMedia: boolean;
}

/** Milliseconds between two looks whether a backup is due. */
const interval = 60_000;

/**
 * Writes backups of the served database into a folder, each in a process of its own, so that none holds up a request. The time of the
 * last one is that of the newest file, also after a restart.
 * @returns stops, and ends the one under way
 */
export function startBackups(folder: string, schedule: Schedule, failed: (error: unknown) => void) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const ending = new AbortController();
  let running: Promise<void> | undefined;
  const look = () => {
    if (running || Date.now() - newest(folder) < schedule.backupEvery) return;
    running = backup(folder, schedule, ending.signal)
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

/** When the newest backup of a folder was finished, in milliseconds. */
function newest(folder: string): number {
  const times = readdirSync(folder)
    .filter((name) => dated.test(name))
    .map((name) => statSync(join(folder, name)).mtimeMs);
  return Math.max(0, ...times);
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
  // The address of the database may hold a password: arguments show in the list of processes, the environment does not.
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
  if (code !== 0) throw new Error(`the backup ended with ${code}: ${message.trim()}`);
}
