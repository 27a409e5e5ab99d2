// Mails each buyer when the order is paid. Runs next to `commerce serve`, on the same database:
//   SMTP_URL=smtps://user:password@mail.example SENDER=shop@shop.example node main.js commerce.db
import { getCustomer, openCommerce, requireStore } from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';
import { createTransport } from 'nodemailer';
import { mailOf } from './mail.js';

const file = process.argv[2] ?? 'commerce.db';
const { SMTP_URL: server = 'smtp://127.0.0.1:2525', SENDER: sender = 'shop@shop.example' } = process.env;
const transport = createTransport(server, { from: sender, connectionTimeout: 10_000, socketTimeout: 20_000 });
const commerce = await openCommerce({ storage: openSqlite({ file, mustExist: true, otherWriters: true }) });

// If this throws, it is tried again after 5 s, 25 s, 2 min and 10 min; nothing is lost while this program does not run.
await commerce.on(
  'order.paid',
  async ({ id, data: order, storeId }) => {
    const store = await requireStore(commerce.engine, storeId);
    const shop = await commerce.store(store.id);
    const customer = order.customerId === null ? undefined : await getCustomer(shop, order.customerId).catch(ifGone);
    // An erased customer gets no mail.
    if (!customer || customer.email.endsWith('.invalid')) return;
    // An event can come twice, such as after a crash between mail and record: mail programs know the second one by its id.
    const messageId = `<${id}@${sender.split('@')[1]}>`;
    await transport.sendMail({ ...mailOf(order, store, customer), messageId });
    console.log(`${order.orderNumber}: mailed`);
  },
  { name: 'order-mail' },
);
commerce.startDelivery({ onError: (error) => console.error(error) });
console.log(`mails go through ${new URL(server).host}`);

/**
 * A customer can be erased before the mail is sent.
 * @param {{ kind?: string }} error
 */
function ifGone(error) {
  if (error.kind === 'notFound') return undefined;
  throw error;
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await commerce.close();
    transport.close();
  });
}
