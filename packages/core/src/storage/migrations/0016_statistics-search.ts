import { sql } from 'kysely';
import type { Migration } from './index.ts';

type Db = Parameters<Migration['up']>[0];
type Storage = Parameters<Migration['up']>[1];

interface Named {
  firstName?: string | null;
  lastName?: string | null;
}

const pageSize = 500;

/** By pages of numbers: the texts of a million orders do not fit into memory at once. */
export async function fillOrderSearch(db: Db, storage: Storage): Promise<void> {
  for (const store of await db.selectFrom('stores').select(['id', 'number']).execute()) {
    for (let last = -1; ; ) {
      const rows = await db
        .selectFrom('orders')
        .leftJoin('customers', (join) =>
          join.onRef('customers.store_id', '=', 'orders.store_id').onRef('customers.id', '=', 'orders.customer_id'),
        )
        .select(['orders.id', 'orders.number', 'orders.json', 'customers.json as customer'])
        .where('orders.store_id', '=', store.id)
        .where('orders.number', '>', last)
        .orderBy('orders.number')
        .limit(pageSize)
        .execute();
      const final = rows.at(-1);
      if (!final) break;
      last = final.number;
      const texts = rows.map(({ id, number, json, customer }) => ({
        id,
        number,
        folded: textOf(number, JSON.parse(json), customer === null ? null : JSON.parse(customer)),
      }));
      const values = texts.map(({ id, folded }) => sql`(cast(${id} as text), cast(${folded} as text))`);
      await sql`with texts (order_id, folded) as (values ${sql.join(values)})
        update orders set search = (select folded from texts where order_id = orders.id)
        where store_id = ${store.id} and id in (select order_id from texts)`.execute(db);
      await storage.orderSearch.putNew(db, store, texts);
    }
  }
}

/** As texts were folded when this migration was written. */
function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').replaceAll('\u001f', '\ufdd0');
}

const mark = '\u001f\u001f';

function textOf(
  number: number,
  order: { shippingAddress?: Named | null; billingAddress?: Named | null },
  customer: { email: string; name: string | null } | null,
): string {
  const isAnonymous = customer?.email.endsWith('@customer.invalid');
  const buyer = isAnonymous ? null : customer;
  const names = [buyer?.name ?? '', nameOf(order.shippingAddress), nameOf(order.billingAddress)].map((name) =>
    foldText(name).trim().split(/\s+/),
  );
  const parts = [
    `ord-${number}`,
    String(number),
    foldText(buyer?.email.trim() ?? ''),
    ...names.flatMap((words) => [words.join(' '), ...words.slice(1)]),
  ];
  return [...new Set(parts)].flatMap((part) => (part === '' ? [] : [mark, part])).join('');
}

function nameOf(address: Named | null | undefined): string {
  return `${address?.firstName ?? ''} ${address?.lastName ?? ''}`;
}
