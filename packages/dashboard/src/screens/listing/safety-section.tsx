import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { href } from '../../browser/places.ts';
import { Facts, Fields, type Form, type Options, Section, UserText, useLoad, type ValuesOf } from '../../kit/index.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { branded, type listingFields, made, warned } from './fields.ts';

const words = t.listing.safety;

type Party = Schemas['Settings']['parties'][number];
type Values = ValuesOf<typeof listingFields>;

/** The makers and responsible persons of the shop; undefined for a key that may not see the settings. */
export async function loadParties(signal: AbortSignal): Promise<Party[] | undefined> {
  if (!can('settings.read')) return undefined;
  return (await had(api.GET('/stores/{storeId}/settings', { params: { path: at() }, signal }))).item.parties;
}

/** Who made a product and who answers for it, its brand, and what buyers have to be warned of. */
export function SafetySection<T extends Values>({ form: given }: { form: Form<T> }) {
  const form = given as unknown as Form<Values>;
  const loaded = useLoad('products/parties', loadParties);
  const { manufacturerId, responsiblePersonId } = form.values.value;
  const parties = loaded.data;
  return (
    <Section title={words.title}>
      <Fields form={form} of={branded} />
      {(parties === undefined || parties.length > 0 || manufacturerId || responsiblePersonId) && (
        <Fields
          form={form}
          of={made}
          but={{
            manufacturerId: { options: optionsOf(parties, manufacturerId) },
            responsiblePersonId: { options: optionsOf(parties, responsiblePersonId) },
          }}
        />
      )}
      {parties && (
        <p class="quiet intro">
          {filled(parties.length === 0 ? words.noParties : words.moreParties, {
            link: <a href={href('settings?tab=parties')}>{words.toSettings}</a>,
          })}
        </p>
      )}
      {loaded.error && <p class="quiet intro">{words.notLoaded}</p>}
      <Fields form={form} of={warned} />
    </Section>
  );
}

/** The parties by name, and the chosen one, which a key without the settings only knows by its id. */
function optionsOf(parties: readonly Party[] | undefined, chosen: string): Options {
  const options = (parties ?? []).map(({ id, name }) => [id, name] as const);
  const isKnown = chosen === '' || options.some(([id]) => id === chosen);
  return [['', words.none], ...options, ...(isKnown ? [] : [[chosen, chosen] as const])];
}

/** Brand, makers and warnings of a product for a key that can only read; nothing if there are none. */
export function SafetyFacts({ product }: { product: Schemas['Product'] }) {
  const { brand, manufacturerId, responsiblePersonId, safetyNotes } = product;
  const loaded = useLoad('products/parties', loadParties);
  const nameOf = (id: string) => loaded.data?.find((one) => one.id === id)?.name ?? id;
  const facts = [
    [words.brand, brand],
    [words.manufacturer, manufacturerId && nameOf(manufacturerId)],
    [words.responsible, responsiblePersonId && nameOf(responsiblePersonId)],
    [words.notes, safetyNotes],
  ] as const;
  const known = facts.filter(([, value]) => value);
  if (known.length === 0) return null;
  return (
    <Section title={words.title}>
      <Facts of={known.map(([label, value]) => [label, <UserText key={label}>{value}</UserText>])} />
    </Section>
  );
}
