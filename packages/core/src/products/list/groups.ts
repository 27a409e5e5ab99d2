import { sql } from 'kysely';
import { formatMoney } from '../../kernel/money.ts';
import { type Group, maxValues } from './answer.ts';
import { all, checkedStatus, type Filters, matchesOf } from './matches.ts';
import type { Reading } from './reading.ts';

interface Sums {
  name: string;
  n: number;
  min: number;
  max: number;
  can: number;
}

/**
 * The groups of a page's products, by the ids of the products. A product without a group is one of its own. Undefined if they have more than
 * `maxRows` members.
 */
export async function groupsOf(
  reading: Reading,
  filters: Filters,
  ids: readonly string[],
): Promise<Map<string, Group> | undefined> {
  const groups = new Map<string, Group>();
  if (ids.length === 0) return groups;
  const { ctx, db, maxRows } = reading;
  const { rows: shown } = await sql<{ id: string; name: string | null }>`
    select id, variant_group_id as name from products where store_id = ${ctx.store.id} and id in (${sql.join(ids)})`.execute(
    db,
  );
  const names = shown.flatMap(({ name }) => name ?? []);
  const alone = shown.flatMap(({ id, name }) => (name === null ? [id] : []));
  const condition = all([
    checkedStatus(filters.status, 'p'),
    ...matchesOf(ctx, filters, 'p').map(({ checked }) => checked),
  ]);
  const [canBuy] = matchesOf(ctx, { words: [], attributes: {}, inStock: true }, 'p');
  const among = [
    names.length > 0
      ? sql`select p.variant_group_id as name, p.* from products as p where p.store_id = ${ctx.store.id}
          and p.status <> 'deleted' and p.variant_group_id in (${sql.join(names)}) and ${condition}`
      : undefined,
    alone.length > 0
      ? sql`select p.id as name, p.* from products as p where p.store_id = ${ctx.store.id} and p.id in (${sql.join(alone)})`
      : undefined,
  ];
  for (const members of among) {
    if (!members) continue;
    if (Number.isFinite(maxRows)) {
      const { rows: some } = await sql<{ n: number }>`
        select count(*) as n from (select p.id from (${members}) as p limit ${maxRows + 1}) as first`.execute(db);
      if (Number(some[0]?.n ?? 0) > maxRows) return undefined;
    }
    const { rows } = await sql<Sums>`select p.name as name, count(*) as n, min(p.price) as min, max(p.price) as max,
      max(case when ${canBuy?.checked ?? sql`1 = 1`} then 1 else 0 end) as can
      from (${members}) as p group by p.name`.execute(db);
    const entries = ctx.engine.storage.entriesOf(sql.ref<string>('p.json'), 'attributes', 'object');
    const { rows: values } = await sql<{ name: string; key: string; value: string }>`
      select p.name as name, entry.key as key, entry.value as value from (${members}) as p, ${entries}
      group by p.name, entry.key, entry.value order by min(p.created_at), min(p.id)`.execute(db);
    const byName = new Map(rows.map((row) => [row.name, { ...row, attributes: new Map<string, string[]>() }]));
    for (const { name, key, value } of values) {
      const attributes = byName.get(name)?.attributes;
      const known = attributes?.get(key);
      if (!known) attributes?.set(key, [value]);
      else if (known.length < maxValues) known.push(value);
    }
    for (const { id, name } of shown) {
      const sums = byName.get(name ?? id);
      if (!sums) continue;
      groups.set(id, {
        count: Number(sums.n),
        minPrice: formatMoney(BigInt(sums.min), ctx.store.decimals),
        maxPrice: formatMoney(BigInt(sums.max), ctx.store.decimals),
        attributes: Object.fromEntries(sums.attributes),
        inStock: Number(sums.can) === 1,
      });
    }
  }
  return groups;
}
