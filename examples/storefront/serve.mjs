// Serves the page's files on this machine. Any web server, bucket or CDN can do the same: the page consists only of files.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { libraries, readLibrary } from './libraries.mjs';

const shop = new URL('./shop/', import.meta.url);
const types = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  xml: 'application/xml',
  txt: 'text/plain; charset=utf-8',
};

/**
 * @typedef {object} Options
 * @property {number} port
 * @property {() => string} [config] gives the text of config.js instead of the file
 * @property {() => URL | undefined} [folder] what `prerender.mjs` has written, with a slash at the end; by default the shop and its libraries
 *
 * @param {Options} options
 * @returns {Promise<{ url: string, close(): void }>}
 */
export async function servePages({ port, config, folder = () => undefined }) {
  /** @param {string} path @returns {Promise<string | Buffer>} */
  async function read(path) {
    const written = folder();
    if (written) return readFile(new URL(path, written));
    if (path === 'config.js' && config) return config();
    // Libraries that `copy-libraries.mjs` puts into the folder for other servers.
    const library = libraries.find(({ name }) => path === `js/libraries/${name}`);
    return library ? readLibrary(library) : readFile(new URL(path, shop));
  }
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = pathname === '/' ? 'index.html' : pathname.slice(1);
    // Names allowed in a path: plain ones, in this folder, in js/ or in a folder of it.
    const [, ending = ''] = /^(?:js\/(?:[a-z]+\/)?)?[\w-]+(?:\.\d+)?\.(html|js|css|xml|txt)$/.exec(path) ?? [];
    const type = types[/** @type {keyof typeof types} */ (ending)];
    const headers = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' };
    try {
      if (type === undefined) throw new Error('no file of a page');
      const body = await read(path);
      response.writeHead(200, { 'Content-Type': type, ...headers }).end(body);
    } catch {
      const page = await read('404.html').catch(() => 'not found');
      response.writeHead(404, { 'Content-Type': types.html, ...headers }).end(page);
    }
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(undefined));
  });
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${address.port}`, close };
}
