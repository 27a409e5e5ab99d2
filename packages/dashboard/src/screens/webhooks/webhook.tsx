import type { paths } from '@commerce/server/api';
import { useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { itemsOf } from '../../api/items.ts';
import { can } from '../../api/session.ts';
import { navigate } from '../../browser/router.ts';
import {
  act,
  actAfter,
  Button,
  CheckField,
  Dialog,
  deleteItem,
  type Fact,
  Facts,
  FormView,
  LinkButton,
  List,
  Menu,
  type MenuItem,
  Page,
  type Rows,
  type ScreenProps,
  Secret,
  Section,
  Shown,
  ShownOnce,
  Time,
  TimeField,
  UserText,
  useForm,
  useItem,
} from '../../kit/index.ts';
import { actionWords } from '../../kit/terms/action.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { summaryOf } from './events.ts';
import { type Delivery, deliveryColumns, deliveryFilters, SubscriptionState, type Webhook } from './parts.tsx';

const words = t.webhooks;
const { details, replaying } = words;

/** Most events that a replay queues. */
const maxReplayed = 5000;

type Query = NonNullable<paths['/stores/{storeId}/webhooks/{id}/deliveries']['get']['parameters']['query']>;

/** One subscription: its events, its secret, and its deliveries. */
export default function WebhookScreen({ params: { id = '' } }: ScreenProps) {
  const [rotated, setRotated] = useState<string>();
  const [isReplaying, setReplaying] = useState(false);
  const [rows, setRows] = useState<{ of?: Rows<Delivery> }>({});
  const loaded = useItem('webhooks', id);
  const webhook = loaded.data?.item;
  const path = () => at({ id });
  const test = () =>
    act(async () => {
      const { item: delivery } = await had(
        api.POST('/stores/{storeId}/webhooks/{id}/test', { params: { path: path() } }),
      );
      await navigate(`webhooks/${id}/deliveries/${delivery.id}`);
    });
  const turn = (isActive: boolean) =>
    act(
      async () => loaded.set(await itemsOf('webhooks').update(id, { isActive }, undefined)),
      isActive ? details.switchedOn : details.switchedOff,
    );
  const rotate = () =>
    actAfter(
      {
        title: details.rotating.title,
        text: details.rotating.text,
        yes: details.rotating.yes,
        danger: false,
      },
      async () => {
        const { item } = await had(
          api.POST('/stores/{storeId}/webhooks/{id}/rotate-secret', { params: { path: path() } }),
        );
        setRotated(item.secret);
      },
    );
  const remove = () =>
    deleteItem('webhooks', id, {
      title: details.deleting.title,
      text: details.deleting.text(webhook?.url ?? ''),
      said: details.deleting.done,
    });
  const mayWrite = can('webhook.write');
  const items: MenuItem[] = [
    ...(mayWrite
      ? [
          { label: details.replay, icon: 'clock' as const, run: () => setReplaying(true) },
          { label: details.newSecret, icon: 'keys' as const, run: () => void rotate() },
        ]
      : []),
    ...(can('webhook.delete')
      ? [{ label: details.delete, icon: 'trash' as const, danger: true, run: () => void remove() }]
      : []),
  ];
  return (
    <Page
      title={words.one}
      back={{ to: 'webhooks', label: words.title }}
      beside={webhook && <SubscriptionState webhook={webhook} />}
      actions={
        webhook && (
          <>
            {mayWrite && (
              <>
                <LinkButton to={`webhooks/${id}/edit`} icon="edit">
                  {details.edit}
                </LinkButton>
                <Button onClick={() => void turn(!webhook.isActive)}>
                  {webhook.isActive ? details.switchOff : details.switchOn}
                </Button>
                <Button kind="primary" icon="webhooks" onClick={() => void test()}>
                  {details.test}
                </Button>
              </>
            )}
            <Menu label={words.more} items={items} />
          </>
        )
      }
    >
      <Shown of={loaded} what={words.the} rows={5}>
        {({ item }) => <WebhookFacts webhook={item} />}
      </Shown>
      {webhook && (
        <Section title={details.log} quiet>
          <List<Delivery>
            what={words.deliveries.many}
            filters={deliveryFilters}
            columns={deliveryColumns}
            idOf={(delivery) => delivery.id}
            nameOf={({ event }) => words.deliveries.named(actionWords(event))}
            to={(delivery) => `webhooks/${id}/deliveries/${delivery.id}`}
            onRows={(now) => {
              rows.of = now;
            }}
            load={(values, window, signal) =>
              had(
                api.GET('/stores/{storeId}/webhooks/{id}/deliveries', {
                  params: { path: path(), query: { ...(values as Query), ...window } },
                  signal,
                }),
              )
            }
            empty={{
              title: details.none.title,
              icon: 'webhooks',
              children: <p>{details.none.text}</p>,
            }}
          />
        </Section>
      )}
      {rotated && (
        <ShownOnce
          title={details.rotating.shown}
          text={rotated}
          what={words.form.theSecret}
          onDone={() => {
            setRotated(undefined);
            loaded.reload();
          }}
        >
          <p>{details.rotating.after}</p>
        </ShownOnce>
      )}
      {isReplaying && (
        <ReplayDialog
          id={id}
          onDone={() => {
            setReplaying(false);
            rows.of?.reload();
            setRows({ ...rows });
          }}
          onClose={() => setReplaying(false)}
        />
      )}
    </Page>
  );
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { url, events, secret, disabledReason, signatureFormat, retries, lastTriggeredAt, createdAt } = webhook;
  return (
    <>
      {disabledReason && (
        <div class="notice bad">
          <p dir="auto">{details.disabledBecause(disabledReason)}</p>
        </div>
      )}
      <Section title={details.title}>
        <Facts
          of={[
            [words.url, <UserText key="u">{url}</UserText>],
            [words.events, summaryOf(events)],
            [
              details.secret,
              can('webhook.write') ? (
                <Secret key="s" text={secret} what={words.form.theSecret} />
              ) : (
                <code key="s">… {secret.slice(-4)}</code>
              ),
            ],
            [details.retries, formatNumber(retries)],
            ['X-Webhook-Signature', <code key="f">{signatureFormat === 'sha256' ? 'sha256=…' : details.hex}</code>],
            [words.lastDelivered, <Time key="l" at={lastTriggeredAt} />] as Fact,
            [details.created, <Time key="c" at={createdAt} />] as Fact,
          ]}
        />
      </Section>
    </>
  );
}

/** Sends the missed events since a time. */
function ReplayDialog({ id, onDone, onClose }: { id: string; onDone(): void; onClose(): void }) {
  const [queued, setQueued] = useState<number>();
  const form = useForm<{ since: string | null; all: boolean }>({
    key: `webhooks/${id}/replay`,
    read: { values: { since: new Date(Date.now() - 86_400_000).toISOString(), all: false } },
    saved: replaying.saved,
    async save(_, __, values) {
      const { since, all } = values;
      const { item } = await had(
        api.POST('/stores/{storeId}/webhooks/{id}/replay', {
          params: { path: at({ id }) },
          body: { since: since ?? '', all },
        }),
      );
      setQueued(item.queued);
      return { values };
    },
  });
  if (queued !== undefined) {
    return (
      <Dialog
        title={replaying.title}
        onClose={onDone}
        actions={
          <Button kind="primary" onClick={onDone}>
            {replaying.done}
          </Button>
        }
      >
        <p>
          {queued === 0 ? replaying.none : replaying.queued(queued)} {queued >= maxReplayed && replaying.limit}
        </p>
      </Dialog>
    );
  }
  return (
    <Dialog title={replaying.title} onClose={onClose}>
      <FormView form={form} saveLabel={replaying.save}>
        <p class="quiet">{replaying.text}</p>
        <TimeField form={form} name="since" label={replaying.since} />
        <CheckField form={form} name="all" label={replaying.all} />
      </FormView>
    </Dialog>
  );
}
