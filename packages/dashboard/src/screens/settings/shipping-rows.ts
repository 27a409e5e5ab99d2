import type { Schemas } from '../../api/types.ts';

type Methods = Schemas['Settings']['shippingMethods'];

/** Shipping methods as rows of a form. No country means all of them. */
export function rowsOfMethods(methods: Methods): Record<string, unknown>[] {
  return methods.map((method) => ({
    ...method,
    freeFrom: method.freeFrom ?? '',
    countries: method.countries ?? [],
  }));
}

/** The shipping methods of rows. A method is replaced as a whole, so it keeps what its row does not show. */
export function methodsOfRows(rows: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  return rows.map(({ id, name, price, freeFrom, countries, ...others }) => ({
    ...others,
    ...(id ? { id: String(id) } : {}),
    name: String(name ?? ''),
    price: String(price ?? '').trim(),
    freeFrom: String(freeFrom ?? '').trim() || null,
    countries: (countries as string[]).length > 0 ? countries : null,
  }));
}
