import type { Commerce } from '@commerce/core';
import { createFetchHandler } from '@commerce/server';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';

export function honoApp(commerce: Commerce) {
  const addressOf = (_: Request, [env]: unknown[]) => (env as HttpBindings).incoming.socket.remoteAddress;
  const app = new Hono();
  app.mount('/shop', createFetchHandler(commerce, { basePath: '/shop', addressOf }));
  app.post('/contact', async (c) => c.json({ received: await c.req.json() }));
  return app; // served by serve({ fetch: app.fetch }) of @hono/node-server
}
