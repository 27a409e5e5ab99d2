import { spawn } from 'node:child_process';
import { createSignInCode } from '@commerce/core';
import { type Command, Option } from 'commander';
import { storeContext } from '../context.ts';
import { type DatabaseOptions, withCommerce } from '../database.ts';
import { newCommand, parseBaseUrl, storeOption } from '../input/options.ts';
import { print } from '../output/print.ts';
import { signInLink } from '../serve/announce.ts';

interface DashboardOptions extends DatabaseOptions {
  store?: string;
  publicUrl?: string;
  open?: boolean;
  json?: boolean;
}

export function dashboardCommand(): Command {
  return linkCommand('dashboard', 'print a link that signs in to the dashboard, once and within ten minutes', [
    'dashboard',
    'dashboard --open --public-url https://shop.example',
  ])
    .option('--open', 'open it in the browser of this machine')
    .action((options: DashboardOptions) => giveLink(options, options.open === true));
}

export function openCommand(): Command {
  return linkCommand('open', 'open the dashboard in the browser of this machine, signed in', [
    'open',
    'open --store "My shop" --public-url http://127.0.0.1:8080',
  ]).action((options: DashboardOptions) => giveLink(options, true));
}

function linkCommand(...about: Parameters<typeof newCommand>): Command {
  return newCommand(...about)
    .addOption(storeOption())
    .addOption(
      new Option('--public-url <url>', 'address of the running service; http://127.0.0.1 and its port by default')
        .env('COMMERCE_PUBLIC_URL')
        .argParser(parseBaseUrl),
    );
}

function giveLink(options: DashboardOptions, isOpening: boolean): Promise<void> {
  return withCommerce(options, async (commerce) => {
    const { code, expiresAt } = await createSignInCode(await storeContext(commerce, options.store));
    const url = signInLink(options.publicUrl ?? `http://127.0.0.1:${process.env.COMMERCE_PORT ?? 3000}`, code);
    print(options, { url, expiresAt }, () => url);
    if (isOpening && !(await openInBrowser(url))) {
      process.stderr.write(
        'No browser could be opened here: open the link above in one, where the service is reached.\n',
      );
    }
  });
}

/** Has the system open an address; false where nothing on this machine can. */
function openInBrowser(url: string): Promise<boolean> {
  const [program, ...before] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program as string, [...before, url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
