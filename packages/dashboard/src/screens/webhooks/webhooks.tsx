import type { paths } from '@commerce/server/api';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { query } from '../../browser/router.ts';
import { type Column, LinkButton, List, Page, Tabs, Time, UserText, useLoad } from '../../kit/index.ts';
import { summaryOf } from './events.ts';
import { type Delivery, deliveryColumns, deliveryFilters, SubscriptionState, type Webhook } from './parts.tsx';

type Query = NonNullable<paths['/stores/{storeId}/deliveries']['get']['parameters']['query']>;

const tabs = [
  { value: 'subscriptions', label: 'Subscriptions' },
  { value: 'failed', label: 'Failed' },
  { value: 'deliveries', label: 'All deliveries' },
];

const columns: readonly Column<Webhook>[] = [
  { label: 'Address', cell: ({ url }) => <UserText>{url}</UserText>, card: 'title' },
  { label: 'Events', cell: ({ events }) => summaryOf(events), card: 'meta' },
  { label: 'Last delivered', cell: ({ lastTriggeredAt }) => <Time at={lastTriggeredAt} age /> },
  { label: 'State', cell: (webhook) => <SubscriptionState webhook={webhook} />, card: 'state' },
];

/** Subscriptions of programs to events of the shop, and the state of their deliveries. */
export default function Webhooks() {
  const tab = query.value.get('tab') ?? 'subscriptions';
  return (
    <Page
      title="Webhooks"
      actions={
        can('webhook.write') && (
          <LinkButton to="webhooks/new" icon="plus" kind="primary">
            New subscription
          </LinkButton>
        )
      }
    >
      <Tabs name="tab" label="Views of the webhooks" tabs={tabs} />
      {tab === 'subscriptions' ? <Subscriptions /> : <Deliveries key={tab} isFailed={tab === 'failed'} />}
    </Page>
  );
}

function Subscriptions() {
  return (
    <List<Webhook>
      what="subscriptions"
      columns={columns}
      idOf={({ id }) => id}
      nameOf={({ url }) => `subscription ${url}`}
      to={({ id }) => `webhooks/${id}`}
      load={(_, window, signal) =>
        had(api.GET('/stores/{storeId}/webhooks', { params: { path: at(), query: window }, signal }))
      }
      empty={{
        title: 'No subscriptions yet',
        icon: 'webhooks',
        children: <p>A subscription sends events, such as a paid order, to your address.</p>,
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
    label: 'To',
    cell: ({ webhookId }) => <UserText>{addresses.data?.get(webhookId)}</UserText>,
  };
  return (
    <List<Delivery>
      what="deliveries"
      also={['tab']}
      filters={isFailed ? deliveryFilters.filter(({ name }) => name === 'event') : deliveryFilters}
      columns={[...deliveryColumns.slice(0, 1), to, ...deliveryColumns.slice(1)]}
      idOf={({ id }) => id}
      nameOf={({ event }) => `delivery of ${event}`}
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
              title: 'Nothing has failed',
              icon: 'check',
              children: <p>Failed deliveries of the last 30 days are listed here.</p>,
            }
          : {
              title: 'Nothing was delivered in the last 30 days',
              icon: 'webhooks',
              children: <p>Deliveries appear when an enabled subscription matches an event.</p>,
            }
      }
    />
  );
}
