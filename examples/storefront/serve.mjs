// Serves the page's files on this machine. Any web server, bucket or CDN can do the same: the page consists only of files.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { libraries } from './libraries.mjs';

const folder = new URL('./shop/', import.meta.url);
const types = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

/** Files of libraries, which `copy-libraries.mjs` puts into the folder for other servers. */
/** @type {Record<string, URL>} */
const libraryFiles = Object.fromEntries(libraries.map(({ name, file }) => [`js/libraries/${name}`, file]));

/**
 * @param {{ port: number, config?: () => string }} options `config` gives the text of config.js instead of the file
 * @returns {Promise<{ url: string, close(): void }>}
 */
export async function servePages({ port, config }) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = pathname === '/' ? 'index.html' : pathname.slice(1);
    // Names allowed in a path: plain ones, in this folder, in js/ or in a folder of it.
    const [, ending] = /^(?:js\/(?:[a-z]+\/)?)?[\w-]+\.(html|js|css)$/.exec(path) ?? [];
    if (ending === undefined) return response.writeHead(404).end('not found');
    try {
      const body =
        path === 'config.js' && config ? config() : await readFile(libraryFiles[path] ?? new URL(path, folder));
      const type = `${types[ending]}; charset=utf-8`;
      response
        .writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' })
        .end(body);
    } catch {
      response.writeHead(404).end('not found');
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
