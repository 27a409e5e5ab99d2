// Starts the application: ADMIN_PASSWORD=… node main.ts [database file]
import { createFirstStore, openCommerce, requireStore } from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';
import { createApp } from './app.ts';
import { SignIn } from './sign-in.ts';

const { ADMIN_EMAIL: email = 'admin@shop.example', ADMIN_PASSWORD: password = '', PORT: port = '3000' } = process.env;
if (password.length < 12) {
  console.error('ADMIN_PASSWORD must be set, to 12 characters or more');
  process.exit(2);
}
const commerce = await openCommerce({ storage: openSqlite({ file: process.argv[2] ?? 'shop.db' }) });
// Only in a new file; it answers a key as well, which this application does not need.
await createFirstStore(commerce.engine, { type: 'embedder', id: null }, { name: 'Mugs', currency: 'EUR' });
const { id } = await requireStore(commerce.engine);

await commerce.on(
  'order.paid',
  ({ data }) => console.log(`${data.orderNumber} is paid: ${data.total} ${data.currency}`),
  {
    name: 'log',
  },
);
const stopDelivery = commerce.startDelivery();

const server = createApp(commerce, id, new SignIn(email, password)).listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') console.log(`http://127.0.0.1:${address.port} for the store ${id}`);
});

const stop = () => {
  server.close(async () => {
    await stopDelivery();
    await commerce.close();
  });
  server.closeIdleConnections();
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
