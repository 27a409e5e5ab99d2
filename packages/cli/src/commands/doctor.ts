import { constants, existsSync } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { examine, examineProviders, type Finding } from '@commerce/core';
import { type Command, Option } from 'commander';
import { type DatabaseOptions, isPostgres, withCommerce } from '../database.ts';
import { newCommand, parseBaseUrl } from '../input/options.ts';
import { type MediaFileOptions, withMediaFileOptions } from '../media-options.ts';
import { print, table } from '../output/print.ts';

interface DoctorOptions extends DatabaseOptions, MediaFileOptions {
  repair?: boolean;
  offline?: boolean;
  publicUrl?: string;
  json?: boolean;
}

/** Free space that a database needs to keep working, in bytes. */
const leastFree = 500e6;

export function doctorCommand(): Command {
  return withMediaFileOptions(
    newCommand('doctor', 'check the database for hidden problems; exits with 1 if it finds any', [
      'doctor',
      'doctor --repair --json',
    ])
      .option('--repair', 'correct derived data, such as totals, and recreate missing indexes')
      .option('--offline', 'do not ask the payment providers about their endpoints and the rights of keys')
      .addOption(
        new Option('--public-url <url>', 'the public address of the service, to find the endpoints at providers')
          .env('COMMERCE_PUBLIC_URL')
          .argParser(parseBaseUrl),
      ),
  ).action(doctor);
}

async function doctor(options: DoctorOptions): Promise<void> {
  const findings = await withCommerce(options, async ({ engine }) => {
    const found = await examine(engine, { repair: options.repair ?? false });
    const { publicUrl } = options;
    const isReadable = found.find(({ check }) => check === 'migrations')?.status === 'ok';
    const providers = options.offline || !isReadable ? null : await examineProviders(engine, { publicUrl });
    return providers === null ? found : [...found, providers];
  });
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
    return { check, status: 'warning', message: `other users of this machine can open ${file}; run chmod 600 on it` };
  }
  return { check, status: 'ok', message: 'only its owner can open the file' };
}

async function checkDisk(file: string): Promise<Finding> {
  const check = 'disk';
  const folder = dirname(resolve(file));
  const [{ bavail, bsize }, { size }] = await Promise.all([statfs(folder), stat(file)]);
  const free = bavail * bsize;
  const message = `${shownSize(free)} free; the database has ${shownSize(size)}`;
  return { check, status: free < leastFree ? 'problem' : free < size ? 'warning' : 'ok', message };
}

function shownSize(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

async function checkMediaFolder(folder: string): Promise<Finding> {
  const check = 'media';
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return { check, status: 'ok', message: `${folder} is readable and writable` };
  } catch {
    return { check, status: 'problem', message: `this user cannot read and write ${folder}` };
  }
}
