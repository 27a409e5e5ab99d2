import { useRef, useState } from 'preact/hooks';
import { api, at, hadItem, type Versioned } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { navigate } from '../../browser/router.ts';
import {
  CheckField,
  ChecksField,
  FormView,
  NoScope,
  Page,
  type Read,
  type ScreenProps,
  Section,
  SelectField,
  Shown,
  ShownOnce,
  TextField,
  useForm,
  useLoad,
} from '../../kit/index.ts';
import { eventGroups, inOrder } from './events.ts';
import type { Webhook } from './parts.tsx';

type FormValues = {
  url: string;
  events: string[];
  isActive: boolean;
  retries: string;
  signatureFormat: Webhook['signatureFormat'];
};

const labels = {
  url: 'Address',
  events: 'Events',
  isActive: 'Switched on',
  retries: 'Further attempts',
  signatureFormat: 'Form of the older signature',
};

const retryOptions = [
  ['4', '4, within a quarter of an hour'],
  ['3', '3, within three minutes'],
  ['2', '2, within half a minute'],
  ['1', '1, after five seconds'],
  ['0', 'None'],
] as const;

function toRead(read?: Versioned<Webhook>): Read<FormValues> {
  const { url = '', events = [], isActive = true, retries = 4, signatureFormat = 'sha256' } = read?.item ?? {};
  return {
    values: { url, events: inOrder(events), isActive, retries: String(retries), signatureFormat },
    ...(read ? { etag: read.etag } : {}),
  };
}

function toBody({ retries, events, ...rest }: Partial<FormValues>): Schemas['WebhookChanges'] {
  return {
    ...rest,
    ...(events ? { events: events as Webhook['events'] } : {}),
    ...(retries === undefined ? {} : { retries: Number(retries) }),
  };
}

const readWebhook = (id: string, signal?: AbortSignal): Promise<Versioned<Webhook>> =>
  hadItem(api.GET('/stores/{storeId}/webhooks/{id}', { params: { path: at({ id }) }, signal: signal ?? null }));

/** Makes a subscription, or changes one. */
export default function WebhookFormScreen({ params: { id } }: ScreenProps) {
  const loaded = useLoad(id ?? 'new', async (signal) => (id ? readWebhook(id, signal) : undefined));
  return (
    <Page
      title={id ? 'Edit a subscription' : 'New subscription'}
      back={id ? { to: `webhooks/${id}`, label: 'Back' } : { to: 'webhooks', label: 'Webhooks' }}
    >
      {!can('webhook.write') ? (
        <NoScope scope="webhook.write" what="how subscriptions are changed" />
      ) : id ? (
        <Shown of={loaded} what="the subscription" rows={6}>
          {(read) => <WebhookForm id={id} read={read} />}
        </Shown>
      ) : (
        <WebhookForm />
      )}
    </Page>
  );
}

function WebhookForm({ id, read }: { id?: string; read?: Versioned<Webhook> | undefined }) {
  const made = useRef<Webhook | undefined>(undefined);
  const [secret, setSecret] = useState<string>();
  const leave = () => void navigate(`webhooks/${id ?? made.current?.id}`, { replace: true });
  const form = useForm<FormValues>({
    key: `webhooks/${id ?? 'new'}`,
    read: toRead(read),
    saved: 'The subscription is saved.',
    async save(changes, etag, all) {
      const saved = id
        ? await hadItem(
            api.PUT('/stores/{storeId}/webhooks/{id}', {
              params: { path: at({ id }), header: { 'If-Match': etag } },
              body: toBody(changes),
            }),
          )
        : await hadItem(
            api.POST('/stores/{storeId}/webhooks', {
              params: { path: at() },
              body: toBody(all) as Schemas['WebhookInput'],
            }),
          );
      made.current = saved.item;
      return toRead(saved);
    },
    onSaved: () => (id ? leave() : setSecret(made.current?.secret)),
    ...(id ? { reread: async () => toRead(await readWebhook(id)) } : {}),
  });
  return (
    <>
      <FormView form={form} labels={labels}>
        <Section title="Where to">
          <TextField
            form={form}
            name="url"
            label="Address"
            type="url"
            placeholder="https://"
            hint="An https address of the internet that answers a POST with 2xx; one subscription has one address"
          />
          <CheckField form={form} name="isActive" label="Switched on" hint="What happens while it is off is not sent" />
        </Section>
        <Section title="What about">
          <ChecksField form={form} name="events" label="Events" groups={eventGroups} />
        </Section>
        <Section title="How">
          <div class="field-row">
            <SelectField
              form={form}
              name="retries"
              label="Further attempts after a failed one"
              options={retryOptions}
            />
            <SelectField
              form={form}
              name="signatureFormat"
              label="Form of X-Webhook-Signature"
              options={[
                ['sha256', 'sha256=…'],
                ['hex', 'The bare hexadecimal digits'],
              ]}
              hint="webhook-signature, by Standard Webhooks, is sent beside it in either case"
            />
          </div>
        </Section>
      </FormView>
      {secret && (
        <ShownOnce title="The secret of the subscription" text={secret} what="the secret" onDone={leave}>
          <p>
            Each delivery is signed with it. Give it to the program at that address, so that it believes nobody else.
          </p>
        </ShownOnce>
      )}
    </>
  );
}
