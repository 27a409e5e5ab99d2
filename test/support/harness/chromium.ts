import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = [
  process.env.CHROMIUM_PATH ?? '',
  // The browser without windows costs two thirds as much.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** A Chromium of this machine; tests that need one are skipped without it. */
export const chromiumPath: string | undefined = places.find((path) => path !== '' && existsSync(path));

/** Suffix for the titles of tests that need a browser; says why they are skipped. */
export const browserNote: string =
  chromiumPath === undefined ? ' (skipped: no Chromium found; CHROMIUM_PATH may name one)' : '';

/** Starts the browser without a window. */
export function startChromium(): Promise<Browser> {
  // Chromium refuses to run its sandbox as root, such as in containers.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const quiet = ['--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update'];
  // Without a spare process for the next page.
  // A name that is not this machine's own, as a shop in a local network has one.
  const names = ['--host-resolver-rules=MAP shop.test 127.0.0.1'];
  const args = [...sandbox, ...quiet, ...names, '--disable-sync', '--renderer-process-limit=1'];
  return chromium.launch({ ...(chromiumPath && { executablePath: chromiumPath }), args });
}
