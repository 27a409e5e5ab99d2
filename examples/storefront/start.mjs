// `npm run storefront`: the demo shop with everything that it needs, on this machine. With `--config FILE`, only the page, for the service
// and the provider that the file names. With `--prerender [FOLDER]`, the pages are written as files first: `prerender.mjs`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { configText } from './config-text.mjs';
import { prepareStore } from './prepare.mjs';
import { servePages } from './serve.mjs';

const {
  values: options,
  positionals: [folder = 'storefront-pages', ...others],
} = parseArgs({
  allowPositionals: true,
  options: {
    prerender: { type: 'boolean', default: false },
    address: { type: 'string' },
    dir: { type: 'string', default: process.env.INIT_CWD ?? process.cwd() },
    config: { type: 'string' },
    provider: { type: 'string', default: 'stripe' },
    port: { type: 'string', default: '4000' },
    'service-port': { type: 'string', default: '3000' },
    'provider-port': { type: 'string', default: '8765' },
  },
});
const bin = fileURLToPath(new URL('../../packages/cli/bin/commerce.js', import.meta.url));
if (others.length > 0 || (folder !== 'storefront-pages' && !options.prerender))
  throw new Error('only --prerender takes a folder');
const dir = resolve(options.dir);
const data = ['--db', join(dir, 'commerce.db')];
const media = ['--media-dir', join(dir, 'media')];
/** @type {import('node:child_process').ChildProcess[]} */
const children = [];

/**
 * Starts a command that keeps running, and resolves with its first line of output.
 * @param {string[]} args
 */
async function start(args) {
  const child = spawn(process.execPath, [bin, ...args, '--json', ...data], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  child.once('exit', (code) => stop(`commerce ${args[0]} ended`, code || 1));
  // Its later output is read, too, and dropped: a full pipe would block it, a closed one would end it.
  let output = '';
  const isReady = () => output.includes('\n');
  await new Promise((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      if (!isReady()) output += chunk;
      if (isReady()) resolve(undefined);
    });
    child.once('exit', resolve);
  });
  if (!isReady()) throw new Error(`commerce ${args[0]} did not start`);
  return JSON.parse(output.split('\n')[0] ?? '');
}

let isStopping = false;

/** Ends everything. @param {string} reason @param {number} code */
function stop(reason, code) {
  if (isStopping) return;
  isStopping = true;
  if (code !== 0) console.error(`error: ${reason}`);
  process.exitCode = code;
  pages.close();
  for (const child of children) child.kill();
}

let config = options.config ? readFileSync(resolve(dir, options.config), 'utf8') : '';
/** @type {URL | undefined} */
let written;

/** Writes the pages as files. @param {string} file of the configuration @param {string} address of the shop */
async function prerender(file, address) {
  const target = resolve(dir, folder);
  const program = fileURLToPath(new URL('./prerender.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, '--config', file, '--address', address, target], {
    stdio: 'inherit',
  });
  children.push(child);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('the pages were not written');
  written = pathToFileURL(`${target}/`);
}

if (options.config && options.prerender) {
  // Writes the files for another server, and ends.
  if (!options.address) throw new Error('--prerender needs --address https://shop.example, the address of the shop');
  await prerender(resolve(dir, options.config), options.address);
  process.exit();
}

const pages = await servePages({ port: Number(options.port), config: () => config, folder: () => written });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal, 0));

if (options.config) {
  console.log(`The shop is at ${pages.url}. Stop with Ctrl+C.`);
} else {
  try {
    await startAll();
  } catch (error) {
    stop(error instanceof Error ? error.message : String(error), 1);
  }
}

async function startAll() {
  if (!existsSync(join(dir, 'commerce.db'))) {
    const demo = spawn(process.execPath, [bin, 'demo', ...data, ...media], { stdio: ['ignore', 'ignore', 'inherit'] });
    const [code] = await once(demo, 'exit');
    if (code !== 0) throw new Error('commerce demo failed');
  }
  // A key is shown once; the file of the last start holds it.
  const file = join(dir, 'storefront.config.js');
  const [known] = /ck_pub_[0-9A-Za-z]+/.exec(existsSync(file) ? readFileSync(file, 'utf8') : '') ?? [];
  const { storeId, key } = await prepareStore(join(dir, 'commerce.db'), pages.url, known, options.prerender);
  const { url } = await start(['serve', ...media, '--log', 'off', '--port', options['service-port']]);
  const play = ['payments', 'simulate', 'checkout', '--provider', options.provider, '--port', options['provider-port']];
  await start([...play, '--server', url]);
  config = configText({
    url,
    storeId,
    key,
    intro: 'Thrown, poured and sewn by hand.',
    options: [{ name: 'Engraving', maxLength: 20, attribute: 'engraving' }],
  });
  writeFileSync(file, config);
  if (options.prerender) await prerender(file, pages.url);
  console.log(`
The shop     ${pages.url}
its service  ${url} (${url}/docs)
payments     ${options.provider} is simulated: the page to pay at asks whether you pay
discount     WELCOME10
settings     ${file}

Stop with Ctrl+C.`);
}
