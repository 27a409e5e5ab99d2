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
    hint: 'An https address of the internet that answers a POST with 2xx; one subscription has one address',
  }),
  isActive: check('Switched on', { start: true, hint: 'What happens while it is off is not sent' }),
};
const about = { events: eventChecks('Events') };
const how = {
  retries: choice('Further attempts after a failed one', retryOptions, { start: '4', sent: Number }),
  signatureFormat: choice<Webhook['signatureFormat']>(
    'Form of X-Webhook-Signature',
    [
      ['sha256', 'sha256=…'],
      ['hex', 'The bare hexadecimal digits'],
    ],
    { start: 'sha256', hint: 'webhook-signature, by Standard Webhooks, is sent beside it in either case' },
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
      why="how subscriptions are changed"
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
    saved: 'The subscription is saved.',
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
          <p>
            Each delivery is signed with it. Give it to the program at that address, so that it believes nobody else.
          </p>
        </ShownOnce>
      )}
    </>
  );
}
