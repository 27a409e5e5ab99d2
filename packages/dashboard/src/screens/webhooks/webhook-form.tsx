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
import { t } from '../../words/words.ts';
import { eventGroups, inOrder } from './events.ts';
import type { Webhook } from './parts.tsx';

const words = t.webhooks;
const texts = words.form;

const retryOptions = [
  ['4', texts.retryOptions.four],
  ['3', texts.retryOptions.three],
  ['2', texts.retryOptions.two],
  ['1', texts.retryOptions.one],
  ['0', texts.retryOptions.none],
] as const;

const where = {
  url: line(words.url, {
    isRequired: true,
    type: 'url',
    placeholder: 'https://',
    hint: texts.urlHint,
  }),
  isActive: check(texts.isActive, { start: true, hint: texts.isActiveHint }),
};
const about = { events: eventChecks(words.events) };
const how = {
  retries: choice(texts.retries, retryOptions, { start: '4', sent: Number }),
  signatureFormat: choice<Webhook['signatureFormat']>(
    texts.signature,
    [
      ['sha256', 'sha256=…'],
      ['hex', texts.hexOnly],
    ],
    { start: 'sha256', hint: texts.signatureHint },
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
      what={words.the}
      title={id ? texts.edit : words.new}
      back={id ? { to: `webhooks/${id}`, label: texts.back } : { to: 'webhooks', label: words.title }}
      scope="webhook.write"
      why={texts.noAccess}
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
    saved: texts.saved,
    onSaved: ({ item }) => (read ? leave(item.id) : setMade(item)),
  });
  return (
    <>
      <FormView form={form}>
        <Section title={texts.endpoint}>
          <Fields form={form} of={where} />
        </Section>
        <Section title={words.events}>
          <Fields form={form} of={about} />
        </Section>
        <Section title={texts.delivery}>
          <div class="field-row">
            <Fields form={form} of={how} />
          </div>
        </Section>
      </FormView>
      {made && (
        <ShownOnce title={texts.secret} text={made.secret} what={texts.theSecret} onDone={() => leave(made.id)}>
          <p>{texts.secretText}</p>
        </ShownOnce>
      )}
    </>
  );
}
