import type { Detail } from '../../api/errors.ts';
import { reasonOf } from '../../api/explain.ts';

/**
 * Assigns the errors of a refusal to fields: `shippingAddress.city` to `shippingAddress`, unless the form has the longer name itself.
 * @param names fields of the form
 */
export function placeErrors(
  details: readonly Detail[],
  names: readonly string[],
): { placed: Record<string, string>; rest: Detail[] } {
  const placed: Record<string, string> = {};
  const rest: Detail[] = [];
  for (const detail of details) {
    const parts = detail.field.split('.');
    let name: string | undefined;
    for (let n = parts.length; n > 0 && name === undefined; n--) {
      const path = parts.slice(0, n).join('.');
      if (names.includes(path)) name = path;
    }
    if (name === undefined || detail.field === '') rest.push(detail);
    else {
      const inside = detail.field.slice(name.length + 1);
      const said = reasonOf(detail);
      const reason = inside === '' ? said : `${inside}: ${said}`;
      placed[name] = placed[name] === undefined ? reason : `${placed[name]} ${reason}`;
    }
  }
  return { placed, rest };
}
