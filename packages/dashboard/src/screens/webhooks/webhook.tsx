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
import { summaryOf } from './events.ts';
import { type Delivery, deliveryColumns, deliveryFilters, SubscriptionState, type Webhook } from './parts.tsx';

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
      isActive ? 'Subscription switched on.' : 'Subscription switched off.',
    );
  const rotate = () =>
    actAfter(
      {
        title: 'Create a new secret?',
        text: 'For 24 hours, deliveries are also signed with the old secret. The program at the address must use the new secret by then.',
        yes: 'Create a new secret',
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
      title: 'Delete this subscription?',
      text: `${webhook?.url} receives no more events: waiting deliveries are cancelled, and its log and secret are deleted. Switch it off instead to keep them.`,
      said: 'Subscription deleted.',
    });
  const mayWrite = can('webhook.write');
  const items: MenuItem[] = [
    ...(mayWrite
      ? [
          { label: 'Replay since a time…', icon: 'clock' as const, run: () => setReplaying(true) },
          { label: 'New secret…', icon: 'keys' as const, run: () => void rotate() },
        ]
      : []),
    ...(can('webhook.delete')
      ? [{ label: 'Delete', icon: 'trash' as const, danger: true, run: () => void remove() }]
      : []),
  ];
  return (
    <Page
      title="Subscription"
      back={{ to: 'webhooks', label: 'Webhooks' }}
      beside={webhook && <SubscriptionState webhook={webhook} />}
      actions={
        webhook && (
          <>
            {mayWrite && (
              <>
                <LinkButton to={`webhooks/${id}/edit`} icon="edit">
                  Edit
                </LinkButton>
                <Button onClick={() => void turn(!webhook.isActive)}>
                  {webhook.isActive ? 'Switch off' : 'Switch on'}
                </Button>
                <Button kind="primary" icon="webhooks" onClick={() => void test()}>
                  Send a test
                </Button>
              </>
            )}
            <Menu label="More to do" items={items} />
          </>
        )
      }
    >
      <Shown of={loaded} what="the subscription" rows={5}>
        {({ item }) => <WebhookFacts webhook={item} />}
      </Shown>
      {webhook && (
        <Section title="Deliveries of the last 30 days" quiet>
          <List<Delivery>
            what="deliveries"
            filters={deliveryFilters}
            columns={deliveryColumns}
            idOf={(delivery) => delivery.id}
            nameOf={({ event }) => `delivery of ${event}`}
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
              title: 'Nothing sent yet',
              icon: 'webhooks',
              children: <p>Deliveries appear after the first matching event. You can send a test at any time.</p>,
            }}
          />
        </Section>
      )}
      {rotated && (
        <ShownOnce
          title="The new secret"
          text={rotated}
          what="the secret"
          onDone={() => {
            setRotated(undefined);
            loaded.reload();
          }}
        >
          <p>The old secret also signs for 24 hours.</p>
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
          <p dir="auto">
            The service disabled it: {disabledReason}. When the program at the address works again, switch it on and
            replay missed events.
          </p>
        </div>
      )}
      <Section title="Events">
        <Facts
          of={[
            ['Address', <UserText key="u">{url}</UserText>],
            ['Events', summaryOf(events)],
            [
              'Secret',
              can('webhook.write') ? (
                <Secret key="s" text={secret} what="the secret" />
              ) : (
                <code key="s">… {secret.slice(-4)}</code>
              ),
            ],
            ['Further attempts', String(retries)],
            ['X-Webhook-Signature', <code key="f">{signatureFormat === 'sha256' ? 'sha256=…' : 'hexadecimal'}</code>],
            ['Last delivered', <Time key="l" at={lastTriggeredAt} />] as Fact,
            ['Created', <Time key="c" at={createdAt} />] as Fact,
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
    saved: 'Events queued.',
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
        title="Replay"
        onClose={onDone}
        actions={
          <Button kind="primary" onClick={onDone}>
            To the deliveries
          </Button>
        }
      >
        <p>
          {queued === 0
            ? 'Nothing to send: all events were delivered.'
            : `${queued.toLocaleString()} ${queued === 1 ? 'event is' : 'events are'} being sent.`}{' '}
          {queued >= 5000 && 'This is the maximum per replay; replay again for the rest.'}
        </p>
      </Dialog>
    );
  }
  return (
    <Dialog title="Replay since a time" onClose={onClose}>
      <FormView form={form} saveLabel="Send them">
        <p class="quiet">
          Sends subscribed events that were not delivered, oldest first, with their original ids. Events are kept for 30
          days.
        </p>
        <TimeField form={form} name="since" label="Since" />
        <CheckField form={form} name="all" label="Also events already delivered" />
      </FormView>
    </Dialog>
  );
}
