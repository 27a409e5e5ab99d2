import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { client, initShop } from '@commerce/test-support/fixtures/served-shop';
import { clientOf, type Era, eras } from '@commerce/test-support/harness/assistant';
import { bin, commerce, commerceJson, startServer } from '@commerce/test-support/harness/processes';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, expect, it } from 'vitest';

forEachStorage('commerce mcp', (database) => {
  let owner: { storeId: string; key: string };
  beforeAll(async () => {
    owner = await initShop(database.address);
  });

  /** The official client, which starts the command as an assistant does. */
  async function started(era: Era, ...flags: string[]) {
    const one = clientOf(era);
    const args = [bin, 'mcp', '--db', database.address, ...flags];
    await one.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' }));
    return one;
  }
  // biome-ignore lint/suspicious/noExplicitAny: what a tool answers is for the test to say
  type Content = any;
  const call = async (one: Awaited<ReturnType<typeof started>>, name: string, args: Record<string, unknown> = {}) =>
    (await one.callTool({ name, arguments: args })).structuredContent as Content;

  it.each(eras)('reads unless it is told otherwise (%s)', async (era) => {
    const one = await started(era);
    expect(one.getNegotiatedProtocolVersion()).toBe(era);
    const { tools } = await one.listTools();
    expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).toEqual(tools.map(() => true));
    expect(tools).toHaveLength(12);
    expect(await call(one, 'list_products')).toEqual({ items: [], total: 0 });
    const refused = await call(one, 'create_page', { title: 'x', slug: 'x' });
    expect(refused.error).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('page.write') });
    await one.close();
  });

  it.each(eras)('changes what its scopes allow, beside a running service (%s)', async (era) => {
    const server = await startServer(database.address);
    const http = client(server.url, owner);
    const slug = `mug-${era}`;
    const { item } = (await http('POST', '/products', { title: 'Mug', slug, price: '10' })).body;
    const one = await started(era, '--scopes', 'product.read,product.write');
    expect((await one.listTools()).tools.map(({ name }) => name)).toEqual([
      ...['list_products', 'get_product', 'create_product', 'update_product', 'adjust_stock'],
    ]);
    const args = { id: item.id, changes: { price: '12.50' } };
    const { preview, confirm } = await call(one, 'update_product', args);
    expect(preview.changes).toEqual({ price: { from: '10.00', to: '12.50' } });
    expect((await http('GET', `/products/${item.id}`)).body.item.price).toBe('10.00');
    // The service changes it meanwhile.
    await http('PUT', `/products/${item.id}`, { brand: 'Cups' });
    expect((await call(one, 'update_product', { ...args, confirm })).error).toMatchObject({ reason: 'stale' });
    const again = await call(one, 'update_product', args);
    expect((await call(one, 'update_product', { ...args, confirm: again.confirm })).item.price).toBe('12.50');
    expect((await http('GET', `/products/${item.id}`)).body.item.price).toBe('12.50');
    const { items } = (await http('GET', `/audit-logs?resourceId=${item.id}`)).body;
    expect(items[0]).toMatchObject({ action: 'product.updated', actorType: 'cli', actorId: 'commerce mcp' });
    await one.close();
    expect(await server.stop()).toBe(0);
  });

  it('writes nothing but the protocol, and ends with its input', async () => {
    const child = spawn(process.execPath, [bin, 'mcp', '--db', database.address, '--preset', 'full']);
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    const lines = () => stdout.split('\n').filter((line) => line !== '');
    child.stdin.write('this is no message\n');
    for (const id of [1, 2]) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' })}\n`);
    await expect.poll(() => lines().length).toBe(2);
    expect(lines().map((line) => JSON.parse(line).result.tools.length)).toEqual([25, 25]);
    child.stdin.end();
    const [code] = await once(child, 'exit');
    expect([code, lines().length, stderr]).toEqual([0, 2, '']);
  });

  it('says what is wrong with its options', async () => {
    const wrong = await commerce(['mcp', '--db', database.address, '--scopes', 'product.read,everything']);
    expect(wrong).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('"everything" is not a scope'),
    });
    const both = await commerce(['mcp', '--db', database.address, '--scopes', 'product.read', '--preset', 'full']);
    expect(both).toMatchObject({ code: 2, stdout: '' });
    const other = await commerce(['mcp', '--db', database.address, '--store', 'Nowhere']);
    expect(other).toMatchObject({ code: 1, stdout: '' });
    await commerceJson(['stores', 'create', '--db', database.address, '--name', 'Second', '--currency', 'EUR']);
    const which = await commerce(['mcp', '--db', database.address]);
    expect(which).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--store') });
  });
});
