import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { startServer, stop } from '../harness/children.mjs';
import { sqliteStore } from './scale-stores.mjs';

/** The slowdown of the browser's processor, to simulate a mid-range phone. */
const slowdown = 4;
/** The longest allowed time until the first screen, and the longest allowed task while scrolling, in milliseconds. */
const most = { first: 1000, task: 50 };
/** Turns of the mouse wheel, and the distance of each. */
const turns = 60;
const turn = 900;

const places = [process.env.CHROMIUM_PATH ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** Records when an element that matches a selector is first painted, and every task that blocks the page. */
const observe = `
  window.seen = {};
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) longTasks.push({ at: startTime, duration });
  }).observe({ type: 'longtask', buffered: true });
  window.whenSeen = (name, selector) => {
    const look = () => {
      if (document.querySelector(selector)) requestAnimationFrame(() => setTimeout(() => (seen[name] ??= performance.now())));
      else requestAnimationFrame(look);
    };
    look();
  };
`;

/**
 * Measures the first screen of the dashboard, scrolling its list of products in the largest store, and the size of its files.
 * @param count products of the store
 */
export async function measureDashboard(rounds, count) {
  const executablePath = places.find((place) => place !== '' && existsSync(place));
  if (!executablePath) throw new Error('no Chromium was found; CHROMIUM_PATH may name one');
  const store = await sqliteStore(count);
  const server = await startServer(store.address);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const key = JSON.stringify({ storeId: store.storeId, key: store.key, fromLink: false });
    /** @type {Record<string, any[]>} */
    const screens = { 'sign-in': [], overview: [], products: [], scroll: [], slowScroll: [] };
    for (let round = 0; round < rounds; round++) {
      screens['sign-in'].push(await open(browser, server.url, '', 'form input[type=password]'));
      screens.overview.push(await open(browser, server.url, '', 'main h1 ~ * section, main section', key));
      screens.products.push(await open(browser, server.url, '/products', 'main [role=row] a, main tbody a', key));
      screens.scroll.push(await scroll(browser, server.url, key, 1));
      screens.slowScroll.push(await scroll(browser, server.url, key, slowdown));
      console.log(
        `dashboard, round ${round + 1}: ${JSON.stringify(Object.fromEntries(Object.entries(screens).map(([name, all]) => [name, all.at(-1)])))}`,
      );
    }
    return { count, screens, sizes: sizes() };
  } finally {
    await browser.close();
    await stop(server.child);
    await store.remove();
  }
}

async function newPage(browser, key, rate = slowdown) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate });
  await page.addInitScript(`${key ? `sessionStorage.setItem('commerce.key', ${JSON.stringify(key)});` : ''}${observe}`);
  return { context, page };
}

/** Milliseconds from navigation to the first paint of an element that matches a selector, with an empty cache. */
async function open(browser, url, path, selector, key) {
  const { context, page } = await newPage(browser, key);
  try {
    await page.addInitScript(`whenSeen('it', ${JSON.stringify(selector)})`);
    await page.goto(`${url}/dashboard${path}`);
    // Polls, because the policy of the page forbids the code with which playwright would wait.
    for (let i = 0; i < 300; i++) {
      const at = await page.evaluate('seen.it');
      if (at !== undefined) return at;
      await page.waitForTimeout(100);
    }
    throw new Error(`nothing on ${path || 'the first screen'} was ever found by ${selector}`);
  } finally {
    await context.close();
  }
}

/** Scrolls down the list of products; returns the tasks that blocked the page during that time. */
async function scroll(browser, url, key, rate) {
  const { context, page } = await newPage(browser, key, rate);
  try {
    await page.goto(`${url}/dashboard/products`);
    await page.locator('main [role=row] a, main tbody a').first().waitFor();
    await page.waitForTimeout(1500);
    const from = await page.evaluate('performance.now()');
    await page.mouse.move(640, 500);
    for (let i = 0; i < turns; i++) {
      await page.mouse.wheel(0, turn);
      await page.waitForTimeout(60);
    }
    await page.waitForTimeout(500);
    const tasks = (await page.evaluate('longTasks')).filter(({ at }) => at >= from);
    const rows = await page.locator('main tbody tr, main [role=row]').count();
    return { longest: Math.max(0, ...tasks.map(({ duration }) => duration)), over: tasks.length, rows };
  } finally {
    await context.close();
  }
}

/** The number of largest files in the table. */
const listed = 5;

/** Bytes of each sent file, uncompressed and in both compressed forms; the largest first. */
function sizes() {
  const folder = fileURLToPath(new URL('../../packages/dashboard/dist/assets/', import.meta.url));
  return readdirSync(folder)
    .filter((name) => !/\.(?:gz|br)$/.test(name))
    .map((name) => {
      const size = (end) => statSync(folder + name + end).size;
      return { name: name.replace(/-[0-9A-Z]{8}(?=\.)/, ''), plain: size(''), gzip: size('.gz'), br: size('.br') };
    })
    .sort((a, b) => b.gzip - a.gzip);
}

export function dashboardTables({ count, screens, sizes: files }, median) {
  const ms = (value) => String(Math.round(value));
  const first = (name, of, limit) => {
    const all = screens[name];
    return [
      of,
      ms(median(all)),
      ms(Math.max(...all)),
      limit ?? '–',
      limit ? (median(all) <= limit ? 'yes' : 'no') : '–',
    ];
  };
  const longest = (name, of, limit) => {
    const all = screens[name].map((one) => one.longest);
    return [
      of,
      ms(median(all)),
      ms(Math.max(...all)),
      limit ?? '–',
      limit ? (median(all) <= limit ? 'yes' : 'no') : '–',
    ];
  };
  const way = `${(turns * turn).toLocaleString('en')} px of them`;
  const total = (field) => files.reduce((sum, file) => sum + file[field], 0);
  return [
    {
      head: [`milliseconds at ${slowdown}× slowdown of the processor`, 'median', 'longest', 'at most', 'met'],
      rows: [
        first('sign-in', 'address to sign-in, nothing cached', most.first),
        first('overview', 'address to overview, signed in', most.first),
        first('products', `address to the first of ${count.toLocaleString('en')} products`),
        longest('scroll', `longest task while one scrolls over ${way}, the processor not slowed down`, most.task),
        longest('slowScroll', 'the same, slowed down'),
      ],
    },
    {
      head: ['file', 'bytes', 'gzip', 'brotli'],
      rows: [
        ...files.slice(0, listed).map(({ name, plain, gzip, br }) => [name, plain, gzip, br]),
        [`all ${files.length}`, total('plain'), total('gzip'), total('br')],
      ],
    },
  ];
}
