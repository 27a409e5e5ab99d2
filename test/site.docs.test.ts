import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { browserNote, chromiumPath, startChromium } from '@commerce/test-support/harness/chromium';
import { chapters } from '@commerce/test-support/harness/documents';
import { root } from '@commerce/test-support/harness/processes';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildSite } from '../docs/site/site.ts';

describe('The site that `npm run docs` builds', () => {
  const out = mkdtempSync(join(tmpdir(), 'commerce-site-'));
  let pages: string[];
  const html = (path: string) => readFileSync(join(out, path), 'utf8');
  beforeAll(async () => {
    pages = await buildSite(root, out);
  });
  afterAll(() => rmSync(out, { recursive: true, force: true }));

  it('has a page for every chapter, each of which leads to the next and back', () => {
    expect(pages).toEqual(
      expect.arrayContaining(['index.html', 'start.html', 'decisions/index.html', 'decisions/money.html']),
    );
    const walked = ['index.html'];
    for (let at = 'index.html'; ; ) {
      const [, next] = /rel="next" href="([^"]+)"/.exec(html(at)) ?? [];
      if (next === undefined) break;
      const path = join(dirname(at), next);
      expect(join(dirname(path), /rel="prev" href="([^"]+)"/.exec(html(path))?.[1] ?? '')).toBe(at);
      walked.push(path);
      at = path;
    }
    expect(walked).toHaveLength(chapters().length);
  });

  it('lists the chapters under the parts of the book, the appendix last', () => {
    const names = [...html('decisions/money.html').matchAll(/<li class="heading">([^<]+)</g)];
    expect(names.map(([, name]) => name)).toEqual([
      'For shopkeepers',
      'First steps',
      'Building a shop',
      'Running it',
      'Background',
      'Appendix',
    ]);
    expect(html('index.html')).toMatch(/<li class="heading">For shopkeepers<\/li>\n<li><a href="shopkeepers.html">/);
  });

  it('has no link that leads nowhere, and none that a file or a prefix would break', () => {
    const anchorsOf = new Map(
      pages.map((path) => [path, new Set([...html(path).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
    );
    const wrong = pages.flatMap((path) =>
      [...html(path).matchAll(/(?:href|src)="([^"]+)"/g)].flatMap(([, target = '']) => {
        if (/^(?:https?|data|mailto):/.test(target)) return [];
        const [file = '', anchor] = target.split('#');
        const leadsTo = file === '' ? path : join(dirname(path), decodeURI(file));
        const isThere = existsSync(join(out, leadsTo)) && !file.startsWith('/');
        return isThere && (anchor === undefined || anchorsOf.get(leadsTo)?.has(decodeURI(anchor)))
          ? []
          : [`${path}: ${target}`];
      }),
    );
    expect(wrong).toEqual([]);
    // Nothing is loaded from other hosts.
    for (const path of pages) expect(html(path)).not.toMatch(/(?:src|stylesheet" href)="https?:/);
  });

  it('leaves out the comments that the tests read', () => {
    for (const path of pages) expect(html(path)).not.toMatch(/<!-- (?:not run|given|answer|request)/);
  });

  describe.skipIf(chromiumPath === undefined)(`in a browser${browserNote}`, () => {
    it.each([
      [1280, 'light'],
      [390, 'dark'],
    ] as const)('opens as a file, finds a section and fits, at %i in the %s', async (width, colorScheme) => {
      const browser = await startChromium();
      onTestFinished(() => browser.close());
      const page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme });
      const complaints: string[] = [];
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(pathToFileURL(join(out, 'decisions/money.html')).href);
      if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `site-${width}.png`) });
      await page.getByLabel('Search the book').fill('signing secret reveal');
      await page.locator('#found a').first().click();
      await page.waitForURL(/\/payments\.html#stripe$/);
      expect(await page.locator('#stripe').isVisible()).toBe(true);
      if (process.env.SCREENSHOTS)
        await page.screenshot({ path: join(process.env.SCREENSHOTS, `site-payments-${width}.png`) });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      const ground = colorScheme === 'dark' ? 'rgb(20, 24, 29)' : 'rgb(255, 255, 255)';
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(ground);
      await page.getByLabel('Search the book').fill('no such word anywhere xyzzy');
      await page.getByText('Nothing has all of these words.').waitFor();
      expect(complaints).toEqual([]);
    });
  });
});
