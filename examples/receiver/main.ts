// Starts the receiver: WEBHOOK_SECRET=whsec_… node main.ts
import { createReceiver } from './app.ts';

const { WEBHOOK_SECRET: secret = '', PORT: port = '4242' } = process.env;
if (secret === '') {
  console.error('WEBHOOK_SECRET must be set, to the secret of the subscription');
  process.exit(2);
}
const known = new Set<string>();
const server = createReceiver({
  secret,
  pack: async ({ order, lines }) => console.log(order, lines.map(({ sku, pieces }) => `${pieces} × ${sku}`).join(', ')),
  isKnown: async (id) => known.has(id),
  note: async (id) => {
    known.add(id);
  },
});
server.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));
