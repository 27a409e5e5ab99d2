import { type ApiError, type Detail, refusal } from '../../../api/errors.ts';
import type { Schemas } from '../../../api/types.ts';
import type { FieldKind, RowField } from '../../../kit/index.ts';
import { t } from '../../../words/words.ts';

const words = t.settings.parties;

type Party = Schemas['Settings']['parties'][number];
type Row = Record<string, unknown>;

export const partyRowFields: readonly RowField[] = [
  { name: 'name', label: words.name, hint: words.nameHint },
  { name: 'address', label: words.address, kind: 'area', hint: words.addressHint },
  { name: 'email', label: words.email, hint: words.emailHint },
  { name: 'url', label: words.url, placeholder: 'https://' },
];

const texts = partyRowFields.map(({ name }) => name);

/** Makers and responsible persons as rows of texts. */
const parties: FieldKind<Row[]> = {
  control: 'rows',
  label: words.label,
  hint: words.hint,
  one: words.one,
  fields: partyRowFields,
  blank: Object.fromEntries(texts.map((name) => [name, ''])),
  titleOf: ({ name }) => String(name),
  read: (stored) =>
    ((stored as Row[] | undefined) ?? []).map((party) => ({
      id: party.id,
      ...Object.fromEntries(texts.map((name) => [name, party[name] ?? ''])),
    })),
  sent: (rows) =>
    rows.map(({ id, name, address, email, url }) => ({
      ...(id ? { id } : {}),
      name: trimmed(name),
      address: trimmed(address),
      email: trimmed(email) || null,
      url: trimmed(url) || null,
    })),
};

const trimmed = (value: unknown) => String(value ?? '').trim();

export const partyFields = { parties };

/** A refusal of makers in words of its own: one that products name cannot be left out, and each needs an e-mail or a web address. */
export function partiesRefusal(error: ApiError, stored: readonly Party[]): ApiError {
  const inUse = error.status === 409 && error.details.find(({ field }) => field === 'parties');
  if (inUse) {
    // The interface has the id and the number of products in its sentence only.
    const party = stored.find(({ id }) => inUse.reason.includes(`(${id})`));
    const products = /: (\d+) products? /.exec(inUse.reason)?.[1];
    return refusal('parties', words.inUse(party?.name ?? '', products === undefined ? undefined : Number(products)));
  }
  return error.with(
    error.details.map(
      (detail): Detail =>
        /^parties\.\d+\.email$/.test(detail.field) && detail.code === 'REQUIRED'
          ? { ...detail, said: words.contactMissing }
          : detail,
    ),
  );
}
