import type { Commerce } from '@commerce/core';
import { createListener } from '@commerce/server';
import express from 'express';

export function expressApp(commerce: Commerce) {
  const app = express();
  app.use('/shop', createListener(commerce, { basePath: '/shop' })); // ahead of body parsers
  app.use(express.json());
  app.post('/contact', (request, response) => response.json({ received: request.body }));
  return app;
}
