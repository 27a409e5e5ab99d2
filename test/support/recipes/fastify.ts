import { createServer } from 'node:http';
import type { Commerce } from '@commerce/core';
import { createListener } from '@commerce/server';
import fastify from 'fastify';

export function fastifyApp(commerce: Commerce) {
  const shop = createListener(commerce, { pages: ['/openapi.json', '/docs'] }); // the other pages stay Fastify's
  const app = fastify({
    serverFactory: (handler) =>
      createServer((request, response) => shop(request, response, () => handler(request, response))),
  });
  app.post('/contact', async (request) => ({ received: request.body }));
  return app;
}
