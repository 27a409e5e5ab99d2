import { useState } from 'preact/hooks';
import type { Versioned } from '../../api/client.ts';
import { navigate } from '../../browser/router.ts';
import {
  check,
  choice,
  type FieldKind,
  Fields,
  FormView,
  ItemPage,
  line,
  type ScreenProps,
  Section,
  ShownOnce,
  useItem,
  useItemForm,
} from '../../kit/index.ts';
import { eventGroups, inOrder } from './events.ts';
import type { Webhook } from './parts.tsx';

const retryOptions = [
  ['4', '4, within a quarter of an hour'],
  ['3', '3, within three minutes'],
  ['2', '2, within half a minute'],
  ['1', '1, after five seconds'],
  ['0', 'None'],
] as const;

const where = {
  url: line('Address', {
    isRequired: true,
    type: 'url',
    placeholder: 'https://',
    hint: 'A public https address that answers a POST with 2xx; each subscription has a different address',
  }),
  isActive: check('Switched on', { start: true, hint: 'Events are not sent while it is off' }),
};
const about = { events: eventChecks('Events') };
const how = {
  retries: choice('Retries after a failed attempt', retryOptions, { start: '4', sent: Number }),
  signatureFormat: choice<Webhook['signatureFormat']>(
    'Form of X-Webhook-Signature',
    [
      ['sha256', 'sha256=…'],
      ['hex', 'Only hexadecimal digits'],
    ],
    { start: 'sha256', hint: 'webhook-signature, by Standard Webhooks, is always sent as well' },
  ),
};

function eventChecks(label: string): FieldKind<string[]> {
  return {
    control: 'checks',
    label,
    groups: eventGroups,
    read: (stored) => inOrder((stored as string[] | undefined) ?? []),
    sent: (events) => events,
  };
}

/** Creates a subscription, or changes one. */
export default function WebhookFormScreen({ params: { id } }: ScreenProps) {
  const loaded = useItem('webhooks', id);
  return (
    <ItemPage
      of={id ? loaded : undefined}
      what="the subscription"
      title={id ? 'Edit a subscription' : 'New subscription'}
      back={id ? { to: `webhooks/${id}`, label: 'Back' } : { to: 'webhooks', label: 'Webhooks' }}
      scope="webhook.write"
      why="the subscription form"
      form={(read) => <WebhookForm read={read} />}
    />
  );
}

function WebhookForm({ read }: { read: Versioned<Webhook> | undefined }) {
  /** The new subscription, until its secret is stored elsewhere. */
  const [made, setMade] = useState<Webhook>();
  const leave = (to: string) => void navigate(`webhooks/${to}`, { replace: true });
  const form = useItemForm({
    of: 'webhooks',
    fields: { ...where, ...about, ...how },
    read,
    saved: 'Subscription saved.',
    onSaved: ({ item }) => (read ? leave(item.id) : setMade(item)),
  });
  return (
    <>
      <FormView form={form}>
        <Section title="Where to">
          <Fields form={form} of={where} />
        </Section>
        <Section title="What about">
          <Fields form={form} of={about} />
        </Section>
        <Section title="How">
          <div class="field-row">
            <Fields form={form} of={how} />
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
          <p>Each delivery is signed with it. The program at that address needs it to verify deliveries.</p>
        </ShownOnce>
      )}
    </>
  );
}
