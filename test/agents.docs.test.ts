import { createCheckout, createProduct, deleteProduct, updateProduct } from '@commerce/core';
import { createServer } from '@commerce/server';
import { minute, useSelling } from '@commerce/test-support/fixtures/selling';
import { blocksOf, readDocument } from '@commerce/test-support/harness/documents';
import { newKey } from '@commerce/test-support/harness/requests';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { toolNames, toolsOf } from '../packages/server/src/routes/mcp/tools.ts';
import { routeTable } from '../packages/server/src/routes/table.ts';

const document = 'docs/agents.md';

it('the table of docs/agents.md has every tool, in its order, with its operation and its scope', () => {
  const tools = toolsOf(routeTable({ ordersApi: false, uploads: false }));
  const rows = readDocument(document)
    .split('\n')
    .filter((line) => /^\| `\w+_\w+` \|/.test(line));
  const expected = toolNames.map((name) => {
    const { route, kind } = tools.get(name) ?? expect.fail(`no tool ${name}`);
    return `| \`${name}\` | \`${route.method} ${route.path}\` | \`${route.scope}\` | ${kind} |`;
  });
  expect(rows).toEqual(expected);
});

forOneStorage('the conversation of docs/agents.md', 'sqlite', (database) => {
  const { commerce, clock, openShop, pageOf, stub } = useSelling(database);

  /** What stands in the document for a value that is other each time, by the shown one. */
  const actual = new Map<string, unknown>();
  const filledIn = (text: string) => JSON.parse(text, (_, value) => actual.get(value) ?? value);
  const changing = [/^[0-9a-f]{8}-[0-9a-f-]{27}$/, /…$/];

  /** Compares what the document shows of a result with it, and remembers its ids and confirms. */
  function expectShown(shown: unknown, result: unknown, at: string): void {
    if (shown === null || typeof shown !== 'object') {
      if (typeof shown === 'string' && changing.some((kind) => kind.test(shown))) {
        expect([at, typeof result]).toEqual([at, 'string']);
        if (actual.has(shown)) expect([at, result]).toEqual([at, actual.get(shown)]);
        actual.set(shown, result);
      } else expect([at, result]).toEqual([at, shown]);
      return;
    }
    expect([at, typeof result]).toEqual([at, 'object']);
    expect([at, Array.isArray(result)]).toEqual([at, Array.isArray(shown)]);
    if (Array.isArray(shown)) expect([at, (result as unknown[]).length]).toEqual([at, shown.length]);
    if (at.endsWith('.changes')) expect([at, Object.keys(result as object)]).toEqual([at, Object.keys(shown)]);
    for (const [name, value] of Object.entries(shown)) {
      expectShown(value, (result as Record<string, unknown>)[name], `${at}.${name}`);
    }
  }

  it('goes as it is written', async () => {
    actual.clear();
    clock.advance(Date.parse('2026-11-12T09:00:00Z') - clock.now());
    const { shop, product } = await openShop(['stripe']);
    // The conversation has products of its own.
    await deleteProduct(shop, product.id);
    const make = (title: string, sku: string, price: string) =>
      createProduct(shop, { title, sku, slug: sku.toLowerCase(), price, status: 'published' });
    const vase = await make('Tall vase', 'VASE', '39');
    const blue = await make('Blue mug', 'MUG-BLUE', '12');
    const large = await make('Large mug', 'MUG-LARGE', '16');
    const buy = async (items: { productId: string; quantity: number }[]) => {
      const input = {
        items,
        customer: { email: 'ada@shop.test', name: 'Ada' },
        successUrl: 'https://shop.example/thanks',
        cancelUrl: 'https://shop.example/cart',
      };
      const { id } = await createCheckout(shop, input);
      await stub().act('stripe', await pageOf(shop, id), 'pay');
      await stub().settled();
    };
    clock.advance(30 * minute);
    await buy([
      { productId: vase.id, quantity: 1 },
      { productId: blue.id, quantity: 1 },
    ]);
    clock.advance(Date.parse('2026-11-20T12:00:00Z') - clock.now());
    await buy([{ productId: blue.id, quantity: 2 }]);

    const server = createServer(commerce());
    const { url } = await server.listen({ port: 0 });
    const key = await newKey(shop);
    const call = async (name: string, args: object) => {
      const response = await fetch(`${url}/stores/${shop.store.id}/mcp`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
      });
      const { result } = (await response.json()) as { result: { structuredContent: unknown } };
      return result.structuredContent;
    };
    const blocks = blocksOf(document).filter(({ notes }) => notes.has('call') || notes.has('result'));
    expect(blocks.length).toBeGreaterThan(15);
    let result: unknown;
    for (const { notes, text, line } of blocks) {
      const meanwhile = notes.get('meanwhile');
      if (meanwhile !== undefined) {
        expect(meanwhile).toBe('the price of the large mug is 17.00');
        await updateProduct(shop, large.id, { price: '17' });
      }
      const tool = notes.get('call');
      if (tool !== undefined) result = await call(tool, filledIn(text));
      else expectShown(JSON.parse(text), result, `line ${line}`);
      if (tool !== undefined) await stub().settled();
    }
    expect(stub().refunds('stripe')).toMatchObject([{ amount: 3900n }]);
    await server.stop();
  });
});
