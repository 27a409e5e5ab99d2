import { api, at, had, type Versioned } from '../../api/client.ts';
import { refusal } from '../../api/errors.ts';
import { CountriesInput } from '../../kit/form/countries-input.tsx';
import {
  AreaField,
  Dialog,
  Field,
  FormView,
  MoneyField,
  TextField,
  useForm,
  useLoad,
  wholeNumber,
} from '../../kit/index.ts';
import { providerNames } from '../../kit/terms/payment.ts';
import { formatList } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import type { Settings, Way } from './form/fields.ts';
import { saveEntry } from './form/saved-list.tsx';

type Kind = Way['kind'];
type Provider = NonNullable<Way['provider']>;

const words = t.settings.ways;
const kinds = Object.entries(words.kinds);

interface WayDialogProps {
  /** Undefined for a new one. */
  way: Way | undefined;
  read: Versioned<Settings>;
  onSaved(saved: Versioned<Settings>): void;
  onClose(): void;
}

/** Adds a way to pay, or changes one. */
export function WayDialog({ way, read, onSaved, onClose }: WayDialogProps) {
  const loaded = useLoad('ways/providers', connectedProviders);
  const form = useForm({
    key: `settings/ways/${way?.id ?? 'new'}`,
    read: {
      values: {
        kind: (way?.kind ?? 'transfer') as string,
        provider: (way?.provider ?? '') as string,
        name: way?.name ?? words.kinds.transfer,
        instructions: way?.instructions ?? '',
        countries: way?.countries ?? ([] as string[]),
        minTotal: way?.minTotal ?? '',
        maxTotal: way?.maxTotal ?? '',
        holdDays: way?.holdDays ? String(way.holdDays) : '',
      },
    },
    saved: words.saved,
    async save(_, __, all) {
      const kind = all.kind as Kind;
      const given = {
        kind,
        name: all.name.trim(),
        provider: kind === 'provider' ? (all.provider as Provider) || null : null,
        instructions: all.instructions.trim() || null,
        countries: all.countries.length > 0 ? all.countries : null,
        minTotal: all.minTotal.trim() || null,
        maxTotal: all.maxTotal.trim() || null,
        holdDays: kind === 'transfer' ? daysOf(all.holdDays) : null,
      };
      const providers = loaded.data ?? (await connectedProviders());
      onSaved(
        await saveEntry<Way>('paymentMethods', read, given, way, (settings) => addedWith(given, settings, providers)),
      );
      return { values: all };
    },
  });
  const { kind, provider, name } = form.values.value;
  const isProvider = kind === 'provider';
  const also = way
    ? []
    : addedWith({ kind: kind as Kind, provider: (provider || null) as Provider | null }, read.item, loaded.data ?? []);
  const usualName = (of: string, by: string) =>
    of === 'provider' ? (providerNames[by as Provider] ?? '') : words.kinds[of as Kind];
  /** Another type or provider also changes a name that nobody has typed. */
  const choose = (next: { kind?: string; provider?: string }) => {
    if (name === '' || name === usualName(kind, provider)) {
      form.set('name', usualName(next.kind ?? kind, next.provider ?? provider));
    }
    if (next.kind !== undefined) form.set('kind', next.kind);
    if (next.provider !== undefined) form.set('provider', next.provider);
  };
  return (
    <Dialog title={way ? words.editTitle(way.name) : words.addTitle} onClose={onClose}>
      <FormView form={form}>
        {also.length > 0 && <p class="notice">{words.alsoProviders(formatList(also.map((one) => one.name)))}</p>}
        <Field form={form} name="kind" label={words.kind} hint={words.kindHints[kind as Kind]}>
          {(control) => (
            <select {...control} value={kind} onChange={({ currentTarget }) => choose({ kind: currentTarget.value })}>
              {kinds.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        {isProvider && (
          <Field form={form} name="provider" label={words.provider}>
            {(control) => (
              <select
                {...control}
                value={provider}
                onChange={({ currentTarget }) => choose({ provider: currentTarget.value })}
              >
                <option value="">{words.chooseProvider}</option>
                {Object.entries(providerNames)
                  .filter(([value]) => value !== 'manual')
                  .map(([value, label]) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
              </select>
            )}
          </Field>
        )}
        <TextField form={form} name="name" label={words.name} hint={words.nameHint} />
        {!isProvider && (
          <AreaField
            form={form}
            name="instructions"
            label={words.instructions}
            hint={words.instructionsHint}
            rows={4}
          />
        )}
        {kind === 'transfer' && (
          <TextField form={form} name="holdDays" label={words.holdDays} hint={words.holdDaysHint} inputMode="numeric" />
        )}
        <Field form={form} name="countries" label={words.countries} hint={words.countriesHint}>
          {({ name: _, ...control }) => (
            <CountriesInput
              {...control}
              value={form.values.value.countries}
              onValue={(codes) => form.set('countries', codes)}
            />
          )}
        </Field>
        <div class="field-row">
          <MoneyField form={form} name="minTotal" label={words.minTotal} hint={words.totalHint} />
          <MoneyField form={form} name="maxTotal" label={words.maxTotal} hint={words.totalHint} />
        </div>
      </FormView>
    </Dialog>
  );
}

type Given = Omit<Way, 'id' | 'active'>;

/** Connected providers that open pages. */
async function connectedProviders(signal?: AbortSignal): Promise<Provider[]> {
  const call = api.GET('/stores/{storeId}/payment-providers', { params: { path: at() }, signal: signal ?? null });
  return (await had(call)).items.filter(({ hasPages }) => hasPages).map(({ provider }) => provider);
}

/** Connected providers are offered by themselves only while the list is empty: they join it with its first entry. */
function addedWith(
  given: Pick<Given, 'kind' | 'provider'>,
  { paymentMethods }: Settings,
  connected: readonly Provider[],
): (Pick<Way, 'name' | 'active'> & { kind: 'provider'; provider: Provider })[] {
  if (paymentMethods.length > 0) return [];
  return connected
    .filter((provider) => provider !== given.provider)
    .map((provider) => ({ kind: 'provider', name: providerNames[provider], provider, active: true }));
}

function daysOf(typed: string): number | null {
  const days = wholeNumber(typed);
  if (typeof days === 'string') throw refusal('holdDays', t.kit.wholeNumber);
  return days;
}
