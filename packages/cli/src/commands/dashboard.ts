import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSignInCode } from '@commerce/core';
import type { Command } from 'commander';
import { storeContext } from '../context.ts';
import { withCommerce } from '../database.ts';
import { makeScratch } from '../database-files.ts';
import { newCommand, storeOption } from '../input/options.ts';
import { print } from '../output/print.ts';
import { signInLink } from '../serve/announce.ts';
import { publicUrl, runningServer, type ServerOptions, serverOption } from '../serve/server-option.ts';

interface DashboardOptions extends ServerOptions {
  store?: string;
  open?: boolean;
  json?: boolean;
}

export function dashboardCommand(): Command {
  return linkCommand(
    'dashboard',
    'print a link that signs in to the dashboard; it works once and expires after ten minutes',
    ['dashboard', 'dashboard --open --server https://shop.example'],
  )
    .option('--open', 'open it in the browser on this machine')
    .action((options: DashboardOptions) => giveLink(options, options.open === true));
}

export function openCommand(): Command {
  return linkCommand('open', 'open the dashboard in the browser on this machine, signed in', [
    'open',
    'open --store "My shop" --server http://127.0.0.1:8080',
  ]).action((options: DashboardOptions) => giveLink(options, true));
}

function linkCommand(...about: Parameters<typeof newCommand>): Command {
  return newCommand(...about)
    .addOption(storeOption())
    .addOption(serverOption());
}

function giveLink(options: DashboardOptions, isOpening: boolean): Promise<void> {
  // Of a service in a container, a browser reaches only the public address.
  const address = runningServer(options, publicUrl());
  return withCommerce(options, async (commerce) => {
    const { code, expiresAt } = await createSignInCode(await storeContext(commerce, options.store));
    const url = signInLink(address, code);
    print(options, { url, expiresAt }, () => url);
    if (isOpening && !(await openInBrowser(url))) {
      process.stderr.write(
        'No browser could be opened here: open the link above in a browser that can reach the service.\n',
      );
    }
  });
}

/**
 * Opens an address in the browser; false if this machine cannot. The address signs in, and every user of the machine sees the arguments of
 * programs. So a page is opened that only this user can read, and that page redirects to the address.
 */
function openInBrowser(url: string): Promise<boolean> {
  const page = join(makeScratch('open'), 'dashboard.html');
  writeFileSync(page, pageTo(url), { flag: 'wx', mode: 0o600 });
  const [program, ...before] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program as string, [...before, page], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

/**
 * A page that redirects to an address at once. It is kept until the next one is written, because nothing tells when the browser has read
 * it.
 */
function pageTo(url: string): string {
  const address = url.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${address}"><a href="${address}">Dashboard</a>`;
}
