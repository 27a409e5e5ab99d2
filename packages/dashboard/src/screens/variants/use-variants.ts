import { useRef, useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { type ApiError, toApiError } from '../../api/errors.ts';
import { itemsOf } from '../../api/items.ts';
import { forEachRow, type Loaded, patiently, useLoad } from '../../kit/index.ts';
import { useUnsaved } from '../../kit/unsaved.ts';
import { randomSlug } from '../goods/slug.ts';
import { comboKey, filledOptions, type Option, optionsOf, type Product, textsIn } from './options.ts';
import { type Cells, type Draft, isShown, missing, planOf, type Row, rowsOf, type Work } from './plan.ts';

/** The stored variants of a product with their options. */
interface Stored {
  /** All products of the group, the oldest first, archived ones too. */
  members: readonly Product[];
  options: readonly Option[];
  leftOut: readonly string[];
}

export interface Variants {
  loaded: Loaded<Stored>;
  options: readonly Option[];
  rows: readonly Row[];
  work: readonly Work[];
  /** Combinations that were left out. */
  leftOut: number;
  isDirty: boolean;
  busy: { done: number; of: number } | undefined;
  /** Refusals by the key of their row. */
  errors: Readonly<Record<string, ApiError>>;
  nextKey(): number;
  /** The texts that an attribute has in the stored variants. */
  textsOf(name: string): string[];
  setOptions(options: readonly Option[]): void;
  edit(key: string, cells: Partial<Cells>): void;
  leaveOut(key: string): void;
  offerAll(): void;
  reset(): void;
  /** Stores everything. @returns the number of changes, and whether all have succeeded */
  save(): Promise<{ done: number; failed: number }>;
}

let lastKey = 0;
const nextKey = () => ++lastKey;

async function loadMembers(product: Product, signal: AbortSignal | undefined): Promise<Product[]> {
  const { variantGroupId } = product;
  if (variantGroupId === null) return [product];
  const members: Product[] = [];
  for (let total = 1; members.length < total; ) {
    const query = { variantGroupId, limit: 200, offset: members.length };
    const page = await had(
      api.GET('/stores/{storeId}/products/by-variant-group', { params: { path: at(), query }, signal: signal ?? null }),
    );
    if (page.items.length === 0) break;
    members.push(...page.items);
    total = page.total;
  }
  // Ids follow the time at which they were made.
  return members.sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function load(product: Product, signal?: AbortSignal): Promise<Stored> {
  const members = await loadMembers(product, signal);
  const variants = members.filter(isShown);
  const options = optionsOf(variants, nextKey);
  // What was not sold before is offered only once the options change.
  return { members, options, leftOut: missing(options, variants).map(comboKey) };
}

/**
 * The variants of a product with what is typed.
 * @param onSaved reads the product again, which may have changed, too
 */
export function useVariants(product: Product, onSaved: () => Promise<Product>): Variants {
  const [draft, setDraft] = useState<Draft>();
  const [busy, setBusy] = useState<Variants['busy']>();
  const [errors, setErrors] = useState<Readonly<Record<string, ApiError>>>({});
  const loaded = useLoad<Stored>(`${product.id} ${product.variantGroupId}`, (signal) => load(product, signal));
  const stored = loaded.data;
  const members = (stored?.members ?? []).map((one) => (one.id === product.id ? product : one));
  const now: Draft = draft ?? { options: stored?.options ?? [], edits: {}, leftOut: stored?.leftOut ?? [] };
  const options = filledOptions(now.options);
  const known = stored?.options.map(({ name }) => name) ?? [];
  const rows = options.length === 0 ? [] : rowsOf({ ...now, options }, members.filter(isShown), product);
  const work = stored ? planOf({ ...now, options }, members, product, known) : [];
  const isDirty = draft !== undefined && work.length > 0;
  const current = useRef(isDirty);
  current.current = isDirty;
  useUnsaved(() => current.current || busy !== undefined);
  const change = (changes: Partial<Draft>) => setDraft({ ...now, ...changes });
  return {
    loaded,
    options: now.options,
    rows,
    work: draft ? work : [],
    leftOut: now.leftOut.length,
    isDirty,
    busy,
    errors,
    nextKey,
    textsOf: (name) => textsIn(members.filter(isShown), name).filter((text) => text !== ''),
    setOptions: (next) => change({ options: next }),
    edit(key, cells) {
      change({ edits: { ...now.edits, [key]: { ...now.edits[key], ...cells } } });
      const { [key]: _, ...rest } = errors;
      setErrors(rest);
    },
    leaveOut: (key) => change({ leftOut: [...now.leftOut, key] }),
    offerAll: () => change({ leftOut: [] }),
    reset() {
      setDraft(undefined);
      setErrors({});
    },
    async save() {
      setBusy({ done: 0, of: work.length });
      setErrors({});
      const { done, failed } = await forEachRow(
        // The product itself first: its group is what the others join.
        [...work].sort((a, b) => Number(isOf(b, product)) - Number(isOf(a, product))),
        (one) => patiently(() => perform(one)),
        (n) => setBusy({ done: n, of: work.length }),
      );
      setErrors(Object.fromEntries(failed.map(({ row, error }) => [row.key, error])));
      try {
        loaded.set(await load(await onSaved()));
        if (failed.length === 0) setDraft(undefined);
      } catch {
        // The changes are stored; the list says why it does not load.
        loaded.reload();
      } finally {
        setBusy(undefined);
      }
      return { done: done.length, failed: failed.length };
    },
  };
}

const isOf = (work: Work, { id }: Product): boolean => work.kind === 'update' && work.variant.id === id;

async function perform(work: Work): Promise<void> {
  const products = itemsOf('products');
  if (work.kind === 'archive') {
    await products.update(work.variant.id, { status: 'archived' }, undefined);
  } else if (work.kind === 'create') {
    await create(work.body);
  } else {
    const { variant, body, adjustment } = work;
    if (Object.keys(body).length > 0) await products.update(variant.id, body, undefined);
    if (adjustment !== 0) {
      const params = { path: at({ id: variant.id }) };
      await had(api.POST('/stores/{storeId}/products/{id}/stock', { params, body: { adjustment, reason: null } }));
    }
  }
}

/** Creates a variant; if another product has its slug, with another one. */
async function create(body: Extract<Work, { kind: 'create' }>['body']): Promise<void> {
  const products = itemsOf('products');
  try {
    await products.create(body);
  } catch (thrown) {
    const { status, details } = toApiError(thrown);
    if (status !== 409 || !details.some(({ field }) => field === 'slug')) throw thrown;
    await products.create({ ...body, slug: randomSlug(String(body.slug)) });
  }
}
