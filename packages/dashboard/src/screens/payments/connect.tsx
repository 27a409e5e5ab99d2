import { useRef, useState } from 'preact/hooks';
import { api, at, had, hadItem, type Versioned } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import {
  act,
  Badge,
  Button,
  Dialog,
  FormView,
  Section,
  SelectField,
  Shown,
  TextField,
  useForm,
  useLoad,
} from '../../kit/index.ts';
import { providerNames } from '../../kit/terms/payment.ts';
import { t } from '../../words/words.ts';
import { SecretField } from './secret-field.tsx';
import { type ProviderName, type SettingName, setups, withStored } from './setups.ts';

const words = t.payments.connect;

type Provider = Schemas['PaymentProvider'];
type Check = Schemas['PaymentProviderEndpoint'];
type FormValues = Partial<Record<SettingName, string>>;

/** The settings with which a provider is asked. Everything else comes from the provider. */
const keys = {
  stripe: ['secretKey'],
  paypal: ['clientId', 'clientSecret'],
  square: ['accessToken', 'locationId'],
} as const satisfies Record<ProviderName, readonly SettingName[]>;

/** Connects a provider with its key, or again with the stored one, and shows whether its notifications arrive. */
export function Connection({
  provider,
  read,
  onChanged,
}: {
  provider: ProviderName;
  read: Versioned<Provider> | undefined;
  onChanged(now: Versioned<Provider>): void;
}) {
  const [isOpen, setOpen] = useState(false);
  const mayWrite = can('settings.write');
  return (
    <Section title={words.title}>
      {read ? (
        <Checked provider={provider} read={read} onChanged={onChanged} onConnect={() => setOpen(true)} />
      ) : (
        <>
          <p>{words.text(providerNames[provider])}</p>
          {mayWrite && (
            <Button kind="primary" onClick={() => setOpen(true)}>
              {words.connect(providerNames[provider])}
            </Button>
          )}
        </>
      )}
      {isOpen && (
        <ConnectDialog
          provider={provider}
          stored={read?.item.settings?.apiBase}
          onDone={(now) => {
            setOpen(false);
            onChanged(now);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </Section>
  );
}

const connect = (provider: ProviderName, body: Schemas['PaymentProviderInput']) =>
  hadItem(
    api.POST('/stores/{storeId}/payment-providers/{provider}/connect', { params: { path: at({ provider }) }, body }),
  );

/** States that connecting again mends. */
const mendable: readonly Check['status'][] = ['missing', 'off', 'incomplete'];

function Checked({
  provider,
  read,
  onChanged,
  onConnect,
}: {
  provider: ProviderName;
  read: Versioned<Provider>;
  onChanged(now: Versioned<Provider>): void;
  onConnect(): void;
}) {
  const loaded = useLoad(`${provider} ${read.etag}`, async (signal) => {
    const params = { path: at({ provider }) };
    return (await had(api.GET('/stores/{storeId}/payment-providers/{provider}/endpoint', { params, signal }))).item;
  });
  const [isBusy, setBusy] = useState(false);
  const mend = async () => {
    setBusy(true);
    await act(async () => onChanged(await connect(provider, {})), words.done(providerNames[provider]));
    setBusy(false);
  };
  return (
    <Shown of={loaded} what={words.theState} rows={2}>
      {({ status, missingEvents, missingRights }) => (
        <>
          <p role="status">
            <Badge tone={status === 'ok' ? 'good' : 'wait'}>{words.states[status]}</Badge> {words.texts[status]}
          </p>
          {missingRights.length > 0 && (
            <>
              <p>{words.texts.lacks}</p>
              <ul>
                {missingRights.map(({ right }) => (
                  <li key={right}>{words.rightNames[right as keyof typeof words.rightNames] ?? right}</li>
                ))}
              </ul>
            </>
          )}
          {missingEvents.length > 0 && <p class="quiet">{words.missing(missingEvents.length)}</p>}
          {can('settings.write') && (
            <p class="actions">
              {mendable.includes(status) && (
                <Button kind="primary" busy={isBusy} onClick={() => void mend()}>
                  {words.mend}
                </Button>
              )}
              <Button onClick={onConnect}>{words.another}</Button>
              <Button kind="quiet" onClick={loaded.reload}>
                {words.check}
              </Button>
            </p>
          )}
        </>
      )}
    </Shown>
  );
}

function ConnectDialog({
  provider,
  stored,
  onDone,
  onClose,
}: {
  provider: ProviderName;
  /** The stored address of the provider's API. */
  stored: unknown;
  onDone(now: Versioned<Provider>): void;
  onClose(): void;
}) {
  const { settings, modes } = setups[provider];
  const name = providerNames[provider];
  const asked = settings.filter((setting) => (keys[provider] as readonly SettingName[]).includes(setting.name));
  const initial: FormValues = Object.fromEntries(asked.map((setting) => [setting.name, '']));
  if (modes[0]) initial.apiBase = typeof stored === 'string' ? stored : modes[0][0];
  const done = useRef<Versioned<Provider> | undefined>(undefined);
  const form = useForm<FormValues>({
    labels: Object.fromEntries([
      ...asked.map((setting) => [setting.name, setting.label]),
      ['apiBase', t.payments.providers.mode],
    ]),
    key: `payment-providers/${provider}/connect`,
    read: { values: initial },
    secret: asked.flatMap((setting) => (setting.isSecret ? [setting.name] : [])),
    async save(_, __, all) {
      const now = await connect(
        provider,
        Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')) as Schemas['PaymentProviderInput'],
      );
      done.current = now;
      return { values: initial, said: words.done(name) };
    },
    onSaved: () => done.current && onDone(done.current),
  });
  return (
    <Dialog title={words.connect(name)} onClose={onClose}>
      <FormView form={form} saveLabel={words.connect(name)}>
        <p>{words.explained(name)}</p>
        {asked.map((setting) =>
          setting.isSecret ? (
            <SecretField key={setting.name} form={form} setting={{ ...setting, isRequired: true }} stored={undefined} />
          ) : (
            <TextField key={setting.name} form={form} name={setting.name} label={setting.label} hint={setting.where} />
          ),
        )}
        {modes.length > 0 && (
          <SelectField
            form={form}
            name="apiBase"
            label={t.payments.providers.mode}
            options={withStored(modes, initial.apiBase)}
            hint={t.payments.providers.modeHint}
          />
        )}
        <details>
          <summary>{words.rights}</summary>
          <ul>
            {words.needed[provider].map((right) => (
              <li key={right}>{right}</li>
            ))}
          </ul>
        </details>
      </FormView>
    </Dialog>
  );
}
