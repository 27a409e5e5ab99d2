import { constants, existsSync } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { examine, type Finding } from '@commerce/core';
import type { Command } from 'commander';
import { type DatabaseOptions, isPostgres, withCommerce } from '../database.ts';
import { newCommand } from '../input/options.ts';
import { type MediaFileOptions, withMediaFileOptions } from '../media-options.ts';
import { print, table } from '../output/print.ts';

interface DoctorOptions extends DatabaseOptions, MediaFileOptions {
  repair?: boolean;
  json?: boolean;
}

/** Free space that a database needs to keep working, in bytes. */
const leastFree = 500e6;

export function doctorCommand(): Command {
  return withMediaFileOptions(
    newCommand('doctor', 'look for what goes wrong without anybody noticing; exit code 1 when something did', [
      'doctor',
      'doctor --repair --json',
    ]).option('--repair', 'set right what follows from other rows, such as totals, and make missing indexes anew'),
  ).action(doctor);
}

async function doctor(options: DoctorOptions): Promise<void> {
  const findings = await withCommerce(options, ({ engine }) => examine(engine, { repair: options.repair ?? false }));
  if (!isPostgres(options.db)) findings.push(await checkPermissions(options.db), await checkDisk(options.db));
  if (existsSync(options.mediaDir)) findings.push(await checkMediaFolder(options.mediaDir));
  print(options, { findings }, () =>
    table(findings, {
      check: (finding) => finding.check,
      status: (finding) => finding.status,
      finding: (finding) => finding.message,
    }),
  );
  if (findings.some(({ status }) => status === 'problem')) process.exitCode = 1;
}

async function checkPermissions(file: string): Promise<Finding> {
  const check = 'permissions';
  const { mode } = await stat(file);
  if ((mode & 0o077) !== 0) {
    return { check, status: 'warning', message: `others on this machine may open ${file}: chmod 600 shuts them out` };
  }
  return { check, status: 'ok', message: 'the file is its owner’s alone' };
}

async function checkDisk(file: string): Promise<Finding> {
  const check = 'disk';
  const folder = dirname(resolve(file));
  const [{ bavail, bsize }, { size }] = await Promise.all([statfs(folder), stat(file)]);
  const free = bavail * bsize;
  const message = `${shownSize(free)} free beside a database of ${shownSize(size)}`;
  return { check, status: free < leastFree ? 'problem' : free < size ? 'warning' : 'ok', message };
}

function shownSize(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

async function checkMediaFolder(folder: string): Promise<Finding> {
  const check = 'media';
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return { check, status: 'ok', message: `${folder} can be read and written` };
  } catch {
    return { check, status: 'problem', message: `${folder} cannot be read and written by this user` };
  }
}
