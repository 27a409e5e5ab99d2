import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A page of the dashboard with all its errors. */
export interface OpenPage {
  page: Page;
  /** Script errors, policy violations and console errors; statuses of requests are not among them. */
  faults: string[];
  /** Origins that were requested. */
  hosts: Set<string>;
}

/** Opens pages of a dashboard, each in a separate context, and closes them all. */
export class DashboardPages {
  readonly #contexts: BrowserContext[] = [];
  readonly #browser: Browser;
  readonly #url: string;

  constructor(browser: Browser, url: string) {
    this.#browser = browser;
    this.#url = url;
  }

  /** @param path below the dashboard, such as `orders?tab=all` */
  async open(path = '', options: BrowserContextOptions = {}): Promise<OpenPage> {
    const context = await this.#browser.newContext({
      viewport: { width: 1280, height: 900 },
      locale: 'en-US',
      reducedMotion: 'reduce',
      ...options,
    });
    this.#contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const faults: string[] = [];
    const hosts = new Set<string>();
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      // The browser reports every status of 400 and above; tests check the screen's reaction themselves.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        faults.push(message.text());
    });
    page.on('request', (request) => {
      if (request.url().startsWith('http')) hosts.add(new URL(request.url()).origin);
    });
    await page.exposeFunction('refusedByPolicy', (what: string) => faults.push(`refused by the policy: ${what}`));
    await page.addInitScript(
      `addEventListener('securitypolicyviolation', (event) =>
        refusedByPolicy(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))`,
    );
    await page.goto(`${this.#url}/dashboard${path === '' ? '' : `/${path}`}`);
    return { page, faults, hosts };
  }

  /** Opens a page and signs in with a key, as a person does. */
  async signedIn(
    { storeId, key }: { storeId: string; key: string },
    path = '',
    options: BrowserContextOptions = {},
  ): Promise<OpenPage> {
    const opened = await this.open(path, options);
    await signIn(opened.page, storeId, key);
    return opened;
  }

  async close(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
  }
}

/** Waits for the screen with this exact heading: "New subscription" does not match "Subscription". */
export const heading = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

/** Goes to a screen by `g` and a key. Tries again if a slow machine took so long between the two keys that they were not a pair. */
export async function goByKeys(page: Page, key: string, name: string): Promise<void> {
  for (let tries = 3; tries > 0; tries--) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    const found = page.getByRole('heading', { level: 1, name, exact: true });
    if (
      await found.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      )
    )
      return;
  }
  throw new Error(`the keys g ${key} did not lead to ${name}`);
}

/** Shows the form for a key, if another one is shown. */
export async function openKeyForm(page: Page): Promise<void> {
  const byKey = page.getByRole('button', { name: 'Sign in with an API key' });
  await page.getByLabel('Store ID').or(byKey).waitFor();
  if (await byKey.isVisible()) await byKey.click();
}

/** Signs in with a key, at the visible form. */
export async function signIn(page: Page, storeId: string, key: string): Promise<void> {
  await openKeyForm(page);
  await page.getByLabel('Store ID').fill(storeId);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('#main').waitFor();
}

/**
 * Violations that axe finds on the page, in the dark and then in the light theme, each with its elements; proves that axe has run. The
 * themes differ only in colours, so only colours are checked in the dark.
 * @param further names rules that axe leaves out by default, such as `target-size` of WCAG 2.2
 */
export async function axeFindings(page: Page, further: readonly string[] = []): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await findings(page, { runOnly: ['color-contrast'] }, 1);
  await page.emulateMedia({ colorScheme: 'light' });
  const rules = Object.fromEntries(further.map((name) => [name, { enabled: true }]));
  return [...dark.map((finding) => `in the dark: ${finding}`), ...(await findings(page, { rules }, 11))];
}

/**
 * Runs axe on the page.
 * @param chosen chooses the rules, in the format of axe
 * @param least number of rules that have to pass on any page that was really checked
 */
async function findings(page: Page, chosen: object, least: number): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${axe};undefined`);
  // Axe describes passes as briefly as it can; only their number is taken from the page.
  const options = JSON.stringify({ resultTypes: ['violations'], elementRef: false, ...chosen });
  const [found, passed] = (await page.evaluate(
    `axe.run(${options}).then(({ violations, passes }) => [
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')),
      passes.length,
    ])`,
  )) as [string[], number];
  if (passed < least) throw new Error(`axe has looked at too little: ${passed} rules passed`);
  return found;
}

/** Pixels by which the page is wider than the screen. */
export async function widerBy(page: Page): Promise<number> {
  return (await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')) as number;
}
