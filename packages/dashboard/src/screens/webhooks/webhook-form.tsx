import { useState } from 'preact/hooks';
import type { Versioned } from '../../api/client.ts';
import type { Schemas } from '../../api/types.ts';
import { navigate } from '../../browser/router.ts';
import {
  CheckField,
  ChecksField,
  FormView,
  ItemPage,
  type ScreenProps,
  Section,
  SelectField,
  ShownOnce,
  TextField,
  useItem,
  useItemForm,
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

function toValues(item?: Webhook): FormValues {
  const { url = '', events = [], isActive = true, retries = 4, signatureFormat = 'sha256' } = item ?? {};
  return { url, events: inOrder(events), isActive, retries: String(retries), signatureFormat };
}

function toBody({ retries, events, ...rest }: Partial<FormValues>): Schemas['WebhookChanges'] {
  return {
    ...rest,
    ...(events ? { events: events as Webhook['events'] } : {}),
    ...(retries === undefined ? {} : { retries: Number(retries) }),
  };
}

/** Makes a subscription, or changes one. */
export default function WebhookFormScreen({ params: { id } }: ScreenProps) {
  const loaded = useItem('webhooks', id);
  return (
    <ItemPage
      of={id ? loaded : undefined}
      what="the subscription"
      title={id ? 'Edit a subscription' : 'New subscription'}
      back={id ? { to: `webhooks/${id}`, label: 'Back' } : { to: 'webhooks', label: 'Webhooks' }}
      scope="webhook.write"
      why="how subscriptions are changed"
      form={(read) => <WebhookForm id={id} read={read} />}
    />
  );
}

function WebhookForm({ id, read }: { id: string | undefined; read: Versioned<Webhook> | undefined }) {
  /** The subscription that was made, until its secret was put away. */
  const [made, setMade] = useState<Webhook>();
  const leave = (to: string | undefined) => void navigate(`webhooks/${to}`, { replace: true });
  const form = useItemForm<'webhooks', FormValues>({
    of: 'webhooks',
    id,
    read,
    saved: 'The subscription is saved.',
    toValues,
    toBody,
    onSaved: ({ item }) => (id ? leave(id) : setMade(item)),
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
      {made && (
        <ShownOnce
          title="The secret of the subscription"
          text={made.secret}
          what="the secret"
          onDone={() => leave(made.id)}
        >
          <p>
            Each delivery is signed with it. Give it to the program at that address, so that it believes nobody else.
          </p>
        </ShownOnce>
      )}
    </>
  );
}
