import { forEachStorage } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openCommerce, openingError } from '../index.ts';
import { fakeClock } from '../testing/index.ts';
import { distribute } from './distribute.ts';
import { placedBy, placements } from './placement.ts';
import { placementReport } from './placing.ts';
import { openPostgres } from './postgres/postgres.ts';

/** The longest name to which Citus appends a shard's number; it would shorten a longer one. */
const maxName = 63 - '_9999999999999999999'.length;

forEachStorage('the placement of tables', (database, dialect) => {
  it('is said of every table of the migrated schema, and of no other', async () => {
    const commerce = await openCommerce({ storage: database.open() });
    const tables = await commerce.engine.storage.tables();
    await commerce.close();
    const ofEngine = /_search_(?:data|idx|content|docsize|config)$/;
    const here = tables.filter((name) => !ofEngine.test(name));
    const elsewhere = dialect === 'sqlite' ? ['list_count_changes'] : [];
    expect([...here, ...elsewhere, 'copy_state'].sort()).toEqual(Object.keys(placements).sort());
  });

  it('is on one server, and asked for without the extension', async () => {
    const commerce = await openCommerce({ storage: database.open() });
    const { storage } = commerce.engine;
    expect(await placementReport(storage)).toEqual({ extension: null, isDistributed: false, servers: 1, tables: [] });
    const error = await distribute(storage, fakeClock()).catch((caught: unknown) => openingError(storage, caught));
    await commerce.close();
    expect(error).toMatchObject({ name: 'CommerceError', kind: 'unavailable' });
    expect((error as Error).message).toMatch(
      dialect === 'sqlite'
        ? /is a SQLite file: distribution requires PostgreSQL/
        : /does not have the Citus extension: run "create/,
    );
  });

  if (dialect === 'sqlite') return;

  describe('by the store', () => {
    const isPlaced = (table: string) => placements[table as keyof typeof placements] === 'store';

    it('is possible: the store is in every unique rule, and nothing refers beyond it', async () => {
      const commerce = await openCommerce({ storage: database.open() });
      const { rows } = await sql<{ table: string; name: string; columns: string[] }>`
        select rel.relname as table, idx.relname as name,
          array(select attname::text from pg_attribute where attrelid = indexrelid order by attnum) as columns
        from pg_index join pg_class rel on rel.oid = indrelid join pg_class idx on idx.oid = indexrelid
        where indisunique and rel.relnamespace = 'public'::regnamespace`.execute(commerce.engine.storage.reads);
      const { rows: others } = await sql<{ name: string }>`
        select conname as name from pg_constraint
        where contype in ('f', 'x') and connamespace = 'public'::regnamespace
        union all select tgname from pg_trigger join pg_class on pg_class.oid = tgrelid
        where not tgisinternal and relnamespace = 'public'::regnamespace`.execute(commerce.engine.storage.reads);
      await commerce.close();
      expect(rows.length).toBeGreaterThan(40);
      expect(rows.filter(({ table, columns }) => isPlaced(table) && !columns.includes(placedBy))).toEqual([]);
      expect(others).toEqual([]);
      // A shard's index has the name of the whole table's index, followed by the number of the shard.
      expect(rows.filter(({ name }) => name.length > maxName || /_\d+$/.test(name))).toEqual([]);
    });

    it('leaves a broken rule its name, in whatever language the server says it', async () => {
      const commerce = await openCommerce({ storage: database.open() });
      const { storage } = commerce.engine;
      const { rows } = await sql<{ name: string; table: string; column: string }>`
        select idx.relname as name, rel.relname as table,
          (select attname from pg_attribute where attrelid = indexrelid order by attnum desc limit 1) as column
        from pg_index join pg_class rel on rel.oid = indrelid join pg_class idx on idx.oid = indexrelid
        where indisunique and rel.relnamespace = 'public'::regnamespace`.execute(storage.reads);
      await commerce.close();
      const unopened = openPostgres({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
      for (const { name, table, column } of rows) {
        const rule = name.endsWith('_pkey') ? `${table}.id` : `${table}.${column}`;
        for (const error of [
          { code: '23505', constraint: name },
          { code: '23505', message: `duplicate key value violates unique constraint "${name}_102140"` },
          { code: '23505', message: `doppelter Schlüsselwert verletzt Unique-Constraint »${name}_102140«` },
        ]) {
          expect([error, unopened.uniqueViolation(error)]).toEqual([error, rule]);
        }
      }
      expect(unopened.uniqueViolation({ code: '23502', message: 'null value in "products__slug_1"' })).toBeUndefined();
      expect(unopened.uniqueViolation({ code: '23505', message: 'another rule' })).toBeUndefined();
      await unopened.close();
    });
  });
});
