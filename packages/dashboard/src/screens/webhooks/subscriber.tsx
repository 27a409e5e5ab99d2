import type { paths } from '@commerce/server/api';
import { api, at, had } from '../../api/client.ts';
import type { Schemas } from '../../api/types.ts';
import { type Column, List, Page, type ScreenProps, Time } from '../../kit/index.ts';
import { actionWords } from '../../kit/terms/action.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { DeliveryState, deliveryFilters, EventName } from './parts.tsx';

const words = t.webhooks.application;
const texts = t.webhooks.deliveries;

type Delivery = Schemas['SubscriberDelivery'];
type Query = NonNullable<paths['/stores/{storeId}/subscribers/{name}/deliveries']['get']['parameters']['query']>;

const columns: readonly Column<Delivery>[] = [
  { label: texts.event, cell: ({ event }) => <EventName event={event} />, card: 'title' },
  { label: texts.queued, cell: ({ createdAt }) => <Time at={createdAt} age />, card: 'amount' },
  { label: texts.attempts, cell: ({ attempts }) => formatNumber(attempts.length), end: true },
  { label: words.lastError, cell: ({ attempts }) => <bdi>{attempts.at(-1)?.error}</bdi>, card: 'meta' },
  { label: texts.status, cell: ({ status }) => <DeliveryState status={status} />, card: 'state' },
];

/** What a subscriber of the application has handled, and what it has not, with the error that it threw. */
export default function SubscriberScreen({ params: { name = '' } }: ScreenProps) {
  return (
    <Page title={name} back={{ to: 'webhooks?tab=application', label: words.back }}>
      <List<Delivery>
        what={texts.many}
        filters={deliveryFilters}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ event }) => texts.named(actionWords(event))}
        load={(values, window, signal) =>
          had(
            api.GET('/stores/{storeId}/subscribers/{name}/deliveries', {
              params: { path: at({ name }), query: { ...(values as Query), ...window } },
              signal,
            }),
          )
        }
        empty={{ title: words.nothing.title, icon: 'webhooks', children: <p>{words.nothing.text}</p> }}
      />
    </Page>
  );
}
