import { api, at, had } from '../../api/client.ts';
import { toApiError } from '../../api/errors.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import {
  act,
  actAfter,
  Button,
  Copy,
  ExternalLink,
  LinkButton,
  Menu,
  type MenuItem,
  Section,
  Time,
  UserText,
} from '../../kit/index.ts';
import { lineText } from '../../kit/terms/line.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { changeParcel } from './ship-dialog.tsx';
import type { Order } from './states.tsx';

type Parcel = Schemas['Fulfilment'];

const words = t.orders.parcels;

interface ParcelsProps {
  order: Order;
  onTracking(parcel: Parcel): void;
  onChanged(): void;
}

/** The parcels of an order: where each is, and what can be done with it. Renders nothing before the first one. */
export function Parcels(props: ParcelsProps) {
  const { fulfilments } = props.order;
  if (fulfilments.length === 0) return null;
  return (
    <Section title={words.title}>
      <ol class="parcels">
        {fulfilments.map((parcel, i) => (
          <li key={parcel.id}>
            <ParcelCard {...props} parcel={parcel} number={i + 1} />
          </li>
        ))}
      </ol>
    </Section>
  );
}

function ParcelCard({
  order,
  parcel,
  number,
  onTracking,
  onChanged,
}: ParcelsProps & { parcel: Parcel; number: number }) {
  const { tracking, shippedAt, deliveredAt } = parcel;
  const isOnly = order.fulfilments.length === 1 && order.fulfilmentStatus === 'fulfilled';
  const run = async (done: Promise<boolean>) => {
    if (await done) onChanged();
  };
  const more: MenuItem[] = [
    ...(deliveredAt
      ? [
          {
            label: words.notDelivered,
            run: () =>
              void run(act(() => changeParcel(order.id, parcel.id, { deliveredAt: null }), words.notDeliveredDone)),
          },
        ]
      : []),
    ...(!deliveredAt && order.status !== 'cancelled'
      ? [
          {
            label: words.remove,
            icon: 'trash' as const,
            danger: true,
            run: () =>
              void run(
                actAfter(
                  { title: words.removeTitle, text: words.removeText, yes: words.remove },
                  () => remove(order.id, parcel.id),
                  words.removed,
                ),
              ),
          },
        ]
      : []),
  ];
  return (
    <>
      <header>
        <h3>{words.number(number)}</h3>
        {can('order.write') && <Menu label={words.more} items={more} />}
      </header>
      {!isOnly && (
        <ul>
          {parcel.lines.map(({ itemId, quantity }) => {
            const item = order.items.find(({ id }) => id === itemId);
            return (
              <li key={itemId}>
                {t.orders.items.quantity(quantity)} <UserText>{item?.titleSnapshot}</UserText>{' '}
                <span class="quiet">
                  <UserText>{item && lineText(item)}</UserText>
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {tracking && (
        <p>
          <UserText>{[tracking.carrier, tracking.number].filter(Boolean).join(' · ')}</UserText>{' '}
          {tracking.number && <Copy text={tracking.number} what={t.orders.customer.tracking} />}
        </p>
      )}
      {tracking?.url && (
        <p>
          <ExternalLink to={tracking.url}>{followWords(tracking.url)}</ExternalLink>
        </p>
      )}
      <p class="quiet">
        {filled(words.shipped, { time: <Time at={shippedAt} /> })}
        {deliveredAt && (
          <>
            <br />
            {filled(words.delivered, { time: <Time at={deliveredAt} /> })}
          </>
        )}
      </p>
      <div class="parcel-actions">
        {can('order.write') && (
          <>
            <Button icon={tracking ? 'edit' : 'plus'} onClick={() => onTracking(parcel)}>
              {tracking ? t.orders.tracking.edit : t.orders.tracking.add}
            </Button>
            {!deliveredAt && (
              <Button icon="check" onClick={() => void run(act(() => deliver(order.id, parcel.id), words.deliverDone))}>
                {words.deliver}
              </Button>
            )}
          </>
        )}
        {!isOnly && (
          <LinkButton to={`orders/${order.id}/slip?parcel=${parcel.id}`} icon="print" kind="quiet">
            {words.slip}
          </LinkButton>
        )}
      </div>
    </>
  );
}

/** The name of a link that follows a parcel: its address can be long. An address that becomes no link is shown whole. */
function followWords(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === 'https:' ? words.follow(url.hostname) : address;
}

/** Records that a parcel was delivered now. The clock of the browser can be ahead of the service's, or behind it. */
async function deliver(id: string, parcel: string): Promise<void> {
  try {
    await changeParcel(id, parcel, { deliveredAt: new Date().toISOString() });
  } catch (thrown) {
    const { limits = {} } = toApiError(thrown).details.find(({ field }) => field === 'deliveredAt') ?? {};
    const nearest = limits.max ?? limits.min;
    if (nearest === undefined) throw thrown;
    await changeParcel(id, parcel, { deliveredAt: String(nearest) });
  }
}

function remove(id: string, fulfilment: string) {
  return had(
    api.DELETE('/stores/{storeId}/orders/{id}/fulfilments/{fulfilment}', { params: { path: at({ id, fulfilment }) } }),
  );
}
