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
  Field,
  type Form,
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
  UserText,
  useForm,
  useLoad,
} from '../../kit/index.ts';
import { type ProviderName, type Setting, type SettingName, type Setup, setups } from './setups.ts';
import { providerNames } from './words.tsx';

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

/** The settings of a provider; undefined if it has none yet. */
async function readProvider(provider: string, signal?: AbortSignal): Promise<Versioned<Provider> | undefined> {
  try {
    return await hadItem(
      api.GET('/stores/{storeId}/payment-providers/{provider}', {
        params: { path: at({ provider }) },
        signal: signal ?? null,
      }),
    );
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** One provider: its settings, where to find them, and the address for its notices. */
export default function ProviderScreen({ params: { provider: name = '' } }: ScreenProps) {
  const isKnown = Object.hasOwn(setups, name);
  const loaded = useLoad(name, async (signal) => ({ read: isKnown ? await readProvider(name, signal) : undefined }));
  const back = { to: 'payments/providers', label: 'Providers' };
  if (!isKnown) {
    return (
      <Page title="Payment provider" back={back}>
        <Empty title="Unknown provider" icon="search">
          <LinkButton to="payments/providers">To all of them</LinkButton>
        </Empty>
      </Page>
    );
  }
  const provider = name as ProviderName;
  const label = providerNames[provider];
  const read = loaded.data?.read;
  const remove = () =>
    actAfter(
      {
        title: `Remove ${label}?`,
        text: `Its keys and secrets are deleted, its notifications are rejected, and buyers can no longer pay with it. Payments in progress are not recorded here. Recorded payments are kept.`,
        yes: `Remove ${label}`,
      },
      async () => {
        await had(
          api.DELETE('/stores/{storeId}/payment-providers/{provider}', {
            params: { path: at({ provider }), header: { 'If-Match': read?.etag } },
          }),
        );
        await navigate('payments/providers', { replace: true });
      },
      `${label} removed.`,
    );
  return (
    <Page
      title={label}
      back={back}
      beside={
        read && (
          <>
            {read.item.testMode && <Badge tone="wait">Test mode</Badge>}
            {read.item.hasPages && <Badge tone="good">Takes payments</Badge>}
          </>
        )
      }
      actions={
        read &&
        can('settings.write') && (
          <Menu
            label="More to do"
            items={[{ label: `Remove ${label}`, icon: 'trash', danger: true, run: () => void remove() }]}
          />
        )
      }
    >
      <Shown of={loaded} what="the settings" rows={6}>
        {({ read: now }) => (
          <>
            {now?.item.settings === null && (
              <div class="notice bad" role="alert">
                <p>The stored settings were encrypted with another key. Set {label} up again to receive payments.</p>
              </div>
            )}
            <div class="columns">
              <div>
                {can('settings.write') ? (
                  <ProviderForm
                    key={provider}
                    provider={provider}
                    read={now}
                    onSaved={(saved) => loaded.set({ read: saved })}
                  />
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
    labels: { ...labels, apiBase: 'Mode', makeOrders: 'Payments can create orders' },
    key: `payment-providers/${provider}`,
    read: toRead(setup, read),
    secret: secrets,
    saved: `${providerNames[provider]} is set up.`,
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
    <Section title="Settings">
      <FormView form={form}>
        {setup.settings.map((setting) => {
          const { name, label, where, isRequired, placeholder } = setting;
          const hint = isRequired ? where : `${where}. Optional`;
          return setting.isSecret ? (
            <SecretField key={name} form={form} setting={setting} stored={read?.item.settings?.[name]} />
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
            label="Mode"
            options={withStored(setup.modes, form.values.value.apiBase)}
            hint="Sandbox keys work only there"
          />
        )}
        <CheckField
          form={form}
          name="makeOrders"
          label="Payments can create orders"
          hint="Creates an order from a payment with items if its order does not exist here"
        />
      </FormView>
    </Section>
  );
}

/** The modes, including an address that was set by a command. */
function withStored(modes: Setup['modes'], stored = ''): Setup['modes'] {
  return stored === '' || modes.some(([address]) => address === stored) ? modes : [...modes, [stored, stored]];
}

/** A secret: only the end of the stored one is shown, and it is kept unless another is typed. */
function SecretField({
  form,
  setting: { name, label, where, isRequired },
  stored,
}: {
  form: Form<FormValues>;
  setting: Setting;
  stored: string | { lastFour: string | null } | undefined;
}) {
  const kept = endOf(stored);
  return (
    <Field
      form={form}
      name={name}
      label={label}
      hint={
        <>
          {kept && (
            <>
              Stored: <code>{kept}</code>; enter a new value to replace it.{' '}
            </>
          )}
          {where}
          {!isRequired && !kept && '. Optional'}
        </>
      }
    >
      {(control) => (
        <input
          {...control}
          type="password"
          autoComplete="new-password"
          spellcheck={false}
          placeholder={kept}
          value={form.values.value[name] ?? ''}
          onInput={({ currentTarget }) => form.set(name, currentTarget.value.trim())}
        />
      )}
    </Field>
  );
}

/** Shown part of a stored secret, such as `… 9xYz`. */
function endOf(stored: string | { lastFour: string | null } | undefined): string | undefined {
  if (stored === undefined || typeof stored === 'string') return undefined;
  return stored.lastFour === null ? '…' : `… ${stored.lastFour}`;
}

function SettingFacts({ setup: { settings }, provider }: { setup: Setup; provider: Provider | undefined }) {
  if (!provider) {
    return (
      <Section title="Settings">
        <p class="quiet">
          Not set up. Setting it up requires the scope <code>settings.write</code>.
        </p>
      </Section>
    );
  }
  return (
    <Section title="Settings">
      <Facts
        of={[
          ...settings.flatMap(({ name, label }): Fact[] => {
            const value = provider.settings?.[name];
            if (value === undefined) return [];
            return [[label, typeof value === 'string' ? <UserText key={name}>{value}</UserText> : endOf(value)]];
          }),
          ['Payments can create orders', provider.makeOrders ? 'Yes' : 'No'],
          ['Changed', <Time key="at" at={provider.updatedAt} />],
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
    <Section title="Notification address">
      <p class="shown-once">
        <code>{address}</code>
        <Copy text={address} what="the address" />
      </p>
      <p class="quiet">Paste it at: {place}.</p>
      {isLocal && (
        <p class="notice">
          Providers only reach public https addresses. Open the dashboard at the public address of the service to see
          the right one.
        </p>
      )}
      <details>
        <summary>Events to select there ({events.length})</summary>
        <ul class="ids">
          {events.map((event) => (
            <li key={event}>
              <code>{event}</code>
            </li>
          ))}
        </ul>
        <p>
          <Copy text={events.join('\n')} what="the events" />
        </p>
      </details>
    </Section>
  );
}
