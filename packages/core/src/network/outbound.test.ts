import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const sources = fileURLToPath(new URL('..', import.meta.url));

/** The imports and calls with which a module can open a connection. */
const clients =
  /from '(undici|node:(http2?|https|tls|dgram))'|import\('(undici|node:[a-z0-9]+)'\)|\bfetch\(|\bWebSocket\(/;

it('one module alone opens connections to other machines', () => {
  const modules = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const opening = modules.filter((file) => {
    // A listening server opens no connection.
    const listening = /^import type .*$|^import \{ createServer, [^}]*\} from 'node:http';$/gm;
    const code = readFileSync(`${sources}/${file}`, 'utf8').replace(listening, '');
    return clients.test(code);
  });
  expect(modules.length).toBeGreaterThan(50);
  expect(opening).toEqual(['network/outbound.ts']);
});
