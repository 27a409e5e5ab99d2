import { createServer } from '@commerce/server';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { newKey } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';

forEachStorage('assistants', (database) => {
  const commerce = useCommerce(database);
  it.each([undefined, { mode: 'auto' as const }])('smoke %j', async (versionNegotiation) => {
    const shop = await newShop(commerce());
    const p = await newProduct(shop, { sku: 'MUG' });
    const key = await newKey(shop, 'product.read', 'product.write', 'product.delete');
    const server = createServer(commerce());
    const { url } = await server.listen({ port: 0 });
    const client = new Client({ name: 'test', version: '1' }, versionNegotiation ? { versionNegotiation } : {});
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/stores/${shop.store.id}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
      }),
    );
    const { tools } = await client.listTools();
    console.log(
      client.getNegotiatedProtocolVersion?.(),
      tools.map((t) => t.name),
      JSON.stringify(tools).length,
    );
    console.log(
      JSON.stringify(await client.callTool({ name: 'list_products', arguments: { limit: 1 } })).slice(0, 300),
    );
    const args = { id: p.id, changes: { price: '10.50' } };
    const preview = await client.callTool({ name: 'update_product', arguments: args });
    console.log(JSON.stringify(preview.structuredContent));
    const { confirm } = preview.structuredContent as { confirm: string };
    console.log(
      JSON.stringify(await client.callTool({ name: 'update_product', arguments: { ...args, confirm } })).slice(0, 300),
    );
    console.log(
      JSON.stringify(await client.callTool({ name: 'update_product', arguments: { ...args, confirm: `${confirm}x` } })),
    );
    console.log(JSON.stringify(await client.callTool({ name: 'list_orders', arguments: {} })));
    await client.close();
    await server.stop();
    expect(1).toBe(1);
  });
});
