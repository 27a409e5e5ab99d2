import { api, at, had, hadItem, type Versioned } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { service } from '../../browser/places.ts';
import { navigate } from '../../browser/router.ts';
import {
  actAfter,
  Badge,
  CheckField,
  Copy,
  Empty,
  type Fact,
  Facts,
  FormView,
  LinkButton,
  Menu,
  Page,
  type Read,
  type ScreenProps,
  Section,
  SelectField,
  Shown,
  TextField,
  Time,
  toast,
  UserText,
  useForm,
  useLoad,
} from '../../kit/index.ts';
import { providerNames } from '../../kit/terms/payment.ts';
import { t } from '../../words/words.ts';
import { Connection } from './connect.tsx';
import { PageMethods } from './page-methods.tsx';
import { readProvider } from './read-provider.ts';
import { endOf, SecretField, secretOf } from './secret-field.tsx';
import { type ProviderName, type SettingName, type Setup, setups, withStored } from './setups.ts';

const words = t.payments.providers;

type Provider = Schemas['PaymentProvider'];
type FormValues = Partial<Record<SettingName, string>> & { makeOrders: boolean };

/** Secrets are empty in the form: a typed secret replaces the stored one. */
function toRead({ settings, modes }: Setup, read?: Versioned<Provider>): Read<FormValues> {
  const stored = read?.item.settings ?? {};
  const values: FormValues = { makeOrders: read?.item.makeOrders ?? false };
  for (const { name, isSecret } of settings) values[name] = isSecret ? '' : textOf(stored[name]);
  if (!read && 'notificationUrl' in values) values.notificationUrl = addressOf('square');
  if (modes.length > 0) values.apiBase = textOf(stored.apiBase) || (modes[0]?.[0] ?? '');
  return { values, ...(read ? { etag: read.etag } : {}) };
}

/** The service's address for a provider's notices. */
const addressOf = (provider: ProviderName): string => `${service}/api/webhooks/${provider}/${at().storeId}`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Removes a provider here, and its endpoint there. @returns false if the provider refused or did not answer, or without a key */
async function removeProvider(provider: ProviderName, etag: string | undefined): Promise<boolean> {
  const path = at({ provider });
  try {
    await had(api.POST('/stores/{storeId}/payment-providers/{provider}/disconnect', { params: { path } }));
    return true;
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || ![400, 503].includes(thrown.status)) throw thrown;
    const params = { path, header: { 'If-Match': etag } };
    await had(api.DELETE('/stores/{storeId}/payment-providers/{provider}', { params }));
    return false;
  }
}

/** One provider: its settings, where to find them, and the address for its notices. */
export default function ProviderScreen({ params: { provider: name = '' } }: ScreenProps) {
  const isKnown = Object.hasOwn(setups, name);
  const loaded = useLoad(name, async (signal) => ({ read: isKnown ? await readProvider(name, signal) : undefined }));
  const changed = (saved: Versioned<Provider>) => loaded.set({ read: saved });
  const back = { to: 'payments/providers', label: words.back };
  if (!isKnown) {
    return (
      <Page title={words.one} back={back}>
        <Empty title={words.unknown} icon="search">
          <LinkButton to="payments/providers">{words.toAll}</LinkButton>
        </Empty>
      </Page>
    );
  }
  const provider = name as ProviderName;
  const label = providerNames[provider];
  const read = loaded.data?.read;
  const remove = async () => {
    const { title, text, done, doneHere } = words.removing;
    await actAfter({ title: title(label), text, yes: words.remove(label) }, async () => {
      const isDoneThere = await removeProvider(provider, read?.etag);
      await navigate('payments/providers', { replace: true });
      toast(isDoneThere ? done(label) : doneHere(label));
    });
  };
  return (
    <Page
      title={label}
      back={back}
      beside={
        read && (
          <>
            {read.item.testMode && <Badge tone="wait">{words.testMode}</Badge>}
            {read.item.hasPages && <Badge tone="good">{words.takes}</Badge>}
          </>
        )
      }
      actions={
        read &&
        can('settings.write') && (
          <Menu
            label={words.more}
            items={[{ label: words.remove(label), icon: 'trash', danger: true, run: () => void remove() }]}
          />
        )
      }
    >
      <Shown of={loaded} what={words.theSettings} rows={6}>
        {({ read: now }) => (
          <>
            {now?.item.settings === null && (
              <div class="notice bad" role="alert">
                <p>{words.unreadable(label)}</p>
              </div>
            )}
            <div class="columns">
              <div>
                <Connection provider={provider} read={now} onChanged={changed} />
                {can('settings.write') ? (
                  <>
                    {provider === 'stripe' && now?.item.settings?.secretKey && (
                      <PageMethods read={now} onSaved={changed} />
                    )}
                    <ProviderForm key={provider} provider={provider} read={now} onSaved={changed} />
                  </>
                ) : (
                  <SettingFacts setup={setups[provider]} provider={now?.item} />
                )}
              </div>
              <div class="aside">
                <Notices provider={provider} />
              </div>
            </div>
          </>
        )}
      </Shown>
    </Page>
  );
}

function ProviderForm({
  provider,
  read,
  onSaved,
}: {
  provider: ProviderName;
  read?: Versioned<Provider> | undefined;
  onSaved(saved: Versioned<Provider>): void;
}) {
  const setup = setups[provider];
  const secrets = setup.settings.filter(({ isSecret }) => isSecret).map(({ name }) => name);
  const labels = Object.fromEntries(setup.settings.map(({ name, label }) => [name, label]));
  const form = useForm<FormValues>({
    labels: { ...labels, apiBase: words.mode, makeOrders: words.makeOrders },
    key: `payment-providers/${provider}`,
    read: toRead(setup, read),
    secret: secrets,
    saved: words.saved(providerNames[provider]),
    async save(changes, etag, all) {
      const given = read ? changes : all;
      const body = Object.fromEntries(
        Object.entries(given)
          // An empty secret keeps the stored one; an empty setting clears it.
          .filter(([name, value]) => value !== '' || (read && !secrets.includes(name as SettingName)))
          .map(([name, value]) => [name, value === '' ? null : value]),
      );
      const saved = await hadItem(
        api.PUT('/stores/{storeId}/payment-providers/{provider}', {
          params: { path: at({ provider }), header: { 'If-Match': etag } },
          body,
        }),
      );
      onSaved(saved);
      return toRead(setup, saved);
    },
    ...(read ? { reread: async () => toRead(setup, await readProvider(provider)) } : {}),
  });
  return (
    <Section title={words.settings}>
      <FormView form={form}>
        {setup.settings.map((setting) => {
          const { name, label, where, isRequired, placeholder } = setting;
          const hint = isRequired ? where : words.optional(where);
          return setting.isSecret ? (
            <SecretField key={name} form={form} setting={setting} stored={secretOf(read?.item.settings?.[name])} />
          ) : (
            <TextField
              key={name}
              form={form}
              name={name}
              label={label}
              hint={hint}
              {...(placeholder ? { placeholder } : {})}
            />
          );
        })}
        {setup.modes.length > 0 && (
          <SelectField
            form={form}
            name="apiBase"
            label={words.mode}
            options={withStored(setup.modes, form.values.value.apiBase)}
            hint={words.modeHint}
          />
        )}
        <CheckField form={form} name="makeOrders" label={words.makeOrders} hint={words.makeOrdersHint} />
      </FormView>
    </Section>
  );
}

function SettingFacts({ setup: { settings }, provider }: { setup: Setup; provider: Provider | undefined }) {
  if (!provider) {
    return (
      <Section title={words.settings}>
        <p class="quiet">{words.notSetUpText}</p>
      </Section>
    );
  }
  return (
    <Section title={words.settings}>
      <Facts
        of={[
          ...settings.flatMap(({ name, label }): Fact[] => {
            const value = provider.settings?.[name];
            if (value === undefined || typeof value === 'boolean' || Array.isArray(value)) return [];
            return [[label, typeof value === 'string' ? <UserText key={name}>{value}</UserText> : endOf(value)]];
          }),
          [words.makeOrders, provider.makeOrders ? words.yes : words.no],
          [words.updated, <Time key="at" at={provider.updatedAt} />],
        ]}
      />
    </Section>
  );
}

/** Address and types of the provider's notices. */
function Notices({ provider }: { provider: ProviderName }) {
  const { place, events } = setups[provider];
  const address = addressOf(provider);
  const isLocal = !address.startsWith('https://');
  return (
    <Section title={words.address.title}>
      <p class="shown-once">
        <code>{address}</code>
        <Copy text={address} what={words.address.what} />
      </p>
      <p class="quiet">{words.address.paste(place)}</p>
      {isLocal && <p class="notice">{words.address.local}</p>}
      <details>
        <summary>{words.address.events(events.length)}</summary>
        <ul class="ids">
          {events.map((event) => (
            <li key={event}>
              <code>{event}</code>
            </li>
          ))}
        </ul>
        <p>
          <Copy text={events.join('\n')} what={words.address.theEvents} />
        </p>
      </details>
    </Section>
  );
}
