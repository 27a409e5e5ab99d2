import type { paths } from '@commerce/server/api';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { query } from '../../browser/router.ts';
import { type Column, LinkButton, List, Page, Tabs, Time, UserText, useLoad } from '../../kit/index.ts';
import { actionWords } from '../../kit/terms/action.ts';
import { t } from '../../words/words.ts';
import { summaryOf } from './events.ts';
import { type Delivery, deliveryColumns, deliveryFilters, SubscriptionState, type Webhook } from './parts.tsx';
import { Subscribers } from './subscribers.tsx';

const words = t.webhooks;
const { empty } = words.deliveries;

type Query = NonNullable<paths['/stores/{storeId}/deliveries']['get']['parameters']['query']>;

const tabs = [
  { value: 'subscriptions', label: words.tabs.subscriptions },
  { value: 'failed', label: words.tabs.failed },
  { value: 'deliveries', label: words.tabs.deliveries },
];
const application = { value: 'application', label: words.tabs.application };

const columns: readonly Column<Webhook>[] = [
  { label: words.url, cell: ({ url }) => <UserText>{url}</UserText>, card: 'title' },
  { label: words.events, cell: ({ events }) => summaryOf(events), card: 'meta' },
  { label: words.lastDelivered, cell: ({ lastTriggeredAt }) => <Time at={lastTriggeredAt} age /> },
  { label: words.status, cell: (webhook) => <SubscriptionState webhook={webhook} />, card: 'state' },
];

/** Subscriptions of programs to events of the shop, and the state of their deliveries. */
export default function Webhooks() {
  const tab = query.value.get('tab') ?? 'subscriptions';
  // Few services are embedded, so only these have the tab.
  const subscribers = useLoad('subscribers', (signal) =>
    had(api.GET('/stores/{storeId}/subscribers', { params: { path: at(), query: { limit: 1 } }, signal })),
  );
  const isEmbedded = tab === application.value || (subscribers.data?.total ?? 0) > 0;
  return (
    <Page
      title={words.title}
      actions={
        can('webhook.write') && (
          <LinkButton to="webhooks/new" icon="plus" kind="primary">
            {words.new}
          </LinkButton>
        )
      }
    >
      <Tabs name="tab" label={words.views} tabs={isEmbedded ? [...tabs, application] : tabs} />
      {tab === 'subscriptions' && <Subscriptions />}
      {tab === application.value && <Subscribers />}
      {(tab === 'failed' || tab === 'deliveries') && <Deliveries key={tab} isFailed={tab === 'failed'} />}
    </Page>
  );
}

function Subscriptions() {
  return (
    <List<Webhook>
      what={words.many}
      columns={columns}
      idOf={({ id }) => id}
      nameOf={({ url }) => words.named(url)}
      to={({ id }) => `webhooks/${id}`}
      load={(_, window, signal) =>
        had(api.GET('/stores/{storeId}/webhooks', { params: { path: at(), query: window }, signal }))
      }
      empty={{
        title: words.empty.title,
        icon: 'webhooks',
        children: <p>{words.empty.text}</p>,
      }}
    />
  );
}

function Deliveries({ isFailed }: { isFailed: boolean }) {
  const addresses = useLoad('addresses', async (signal) => {
    const { items } = await had(
      api.GET('/stores/{storeId}/webhooks', { params: { path: at(), query: { limit: 200 } }, signal }),
    );
    return new Map(items.map(({ id, url }) => [id, url]));
  });
  const to: Column<Delivery> = {
    label: words.deliveries.to,
    cell: ({ webhookId }) => <UserText>{addresses.data?.get(webhookId)}</UserText>,
  };
  return (
    <List<Delivery>
      what={words.deliveries.many}
      also={['tab']}
      filters={isFailed ? deliveryFilters.filter(({ name }) => name === 'event') : deliveryFilters}
      columns={[...deliveryColumns.slice(0, 1), to, ...deliveryColumns.slice(1)]}
      idOf={({ id }) => id}
      nameOf={({ event }) => words.deliveries.named(actionWords(event))}
      to={({ id, webhookId }) => `webhooks/${webhookId}/deliveries/${id}`}
      load={({ tab: _, ...values }, window, signal) =>
        had(
          api.GET('/stores/{storeId}/deliveries', {
            params: {
              path: at(),
              query: { ...(values as Query), ...(isFailed ? { status: 'failed' } : {}), ...window },
            },
            signal,
          }),
        )
      }
      empty={
        isFailed
          ? {
              title: empty.failed.title,
              icon: 'check',
              children: <p>{empty.failed.text}</p>,
            }
          : {
              title: empty.all.title,
              icon: 'webhooks',
              children: <p>{empty.all.text}</p>,
            }
      }
    />
  );
}
