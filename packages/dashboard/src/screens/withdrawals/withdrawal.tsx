import { useState } from 'preact/hooks';
import { api, at, had, hadItem, type Versioned } from '../../api/client.ts';
import { toApiError } from '../../api/errors.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { href } from '../../browser/places.ts';
import {
  AreaField,
  act,
  Button,
  Copy,
  Facts,
  FormView,
  Money,
  Page,
  type ScreenProps,
  Section,
  Shown,
  Time,
  UserText,
  useForm,
  useLoad,
} from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { leftToShip } from '../orders/left.ts';
import { buyerOf, OrderStates } from '../orders/states.tsx';
import { RefundDialog } from '../refunds/refund-dialog.tsx';
import { MatchDialog } from './match-dialog.tsx';
import { Due, WithdrawalState } from './parts.tsx';
import { isLate, proposalOf, type Withdrawal } from './proposal.ts';

const words = t.withdrawals;

type Order = Schemas['Order'];
type Read = Versioned<Withdrawal>;

const path = '/stores/{storeId}/withdrawals/{id}';

const readOne = (id: string, signal: AbortSignal | null = null): Promise<Read> =>
  hadItem(api.GET(path, { params: { path: at({ id }) }, signal }));

const saveOne = (id: string, etag: string | undefined, body: Schemas['WithdrawalChanges']): Promise<Read> =>
  hadItem(api.PUT(path, { params: { path: at({ id }), header: { 'If-Match': etag } }, body }));

/** One withdrawal: what the customer stated, its order with the refund, and a note. */
export default function WithdrawalScreen({ params: { id = '' } }: ScreenProps) {
  const loaded = useLoad(id, (signal) => readOne(id, signal));
  const read = loaded.data;
  /** Saves a change; if someone else has saved, shows theirs. */
  const change = (body: Schemas['WithdrawalChanges'], said: string) =>
    act(async () => {
      try {
        loaded.set(await saveOne(id, read?.etag, body));
      } catch (thrown) {
        if (toApiError(thrown).status === 409) loaded.reload();
        throw thrown;
      }
    }, said);
  const isClosed = read?.item.status === 'closed';
  return (
    <Page
      title={read?.item.name ? words.titleOf(read.item.name) : words.one}
      back={{ to: 'withdrawals', label: words.title }}
      beside={read && <WithdrawalState status={read.item.status} />}
      actions={
        read &&
        can('withdrawal.write') &&
        (isClosed ? (
          <Button
            icon="refresh"
            onClick={() => void change({ status: read.item.orderId ? 'matched' : 'received' }, words.reopened)}
          >
            {words.reopen}
          </Button>
        ) : (
          <Button icon="check" onClick={() => void change({ status: 'closed' }, words.closed)}>
            {words.close}
          </Button>
        ))
      }
    >
      <Shown of={loaded} what={words.the} rows={6}>
        {(one) => (
          <div class="columns">
            <div>
              <Statement withdrawal={one.item} />
              <AboutOrder
                withdrawal={one.item}
                onMatch={(order) =>
                  change({ orderId: order.id, ...(isClosed ? {} : { status: 'matched' }) }, words.matched)
                }
              />
            </div>
            <div class="aside">
              <Note key={id} read={one} onSaved={loaded.set} />
            </div>
          </div>
        )}
      </Shown>
    </Page>
  );
}

function Statement({ withdrawal }: { withdrawal: Withdrawal }) {
  const { name, email, orderNumber, receivedAt, note, items } = withdrawal;
  const erased = <span class="quiet">{words.erased}</span>;
  return (
    <Section title={words.statement}>
      {isLate(withdrawal, Date.now()) && <p class="notice bad">{words.isLate}</p>}
      <Facts
        of={[
          [words.name, name ? <UserText key="n">{name}</UserText> : erased],
          [
            words.email,
            email ? (
              <span key="e" class="paid-by">
                <UserText>{email}</UserText>
                <Copy text={email} what={words.theEmail} />
              </span>
            ) : (
              erased
            ),
          ],
          [words.number, <UserText key="o">{orderNumber}</UserText>],
          [words.received, <Time key="r" at={receivedAt} form="exact" />],
          [words.due, <Due key="d" withdrawal={withdrawal} />],
          [words.goods, items.length === 0 ? words.whole : <Goods key="g" items={items} />],
        ]}
      />
      <p class="quiet withdrawal-hint">{words.dueHint}</p>
      {note && (
        <>
          <h3>{words.note}</h3>
          <UserText block>{note}</UserText>
        </>
      )}
    </Section>
  );
}

/** The goods by the titles of their products, as far as these still exist. */
function Goods({ items }: { items: Withdrawal['items'] }) {
  const ids = [...new Set(items.flatMap(({ productId }) => productId ?? []))];
  const titles = useLoad(ids.join(), async (signal) => {
    if (!can('product.read')) return new Map<string, string>();
    const found = await Promise.all(
      ids.map(async (id) => {
        const call = api.GET('/stores/{storeId}/products/{id}', { params: { path: at({ id }) }, signal });
        const { data, response } = await call;
        return response.ok && data ? ([id, data.item.title] as const) : undefined;
      }),
    );
    return new Map(found.flatMap((one) => (one ? [one] : [])));
  });
  return (
    <ul class="withdrawn">
      {items.map(({ productId, sku, quantity }) => (
        <li key={productId ?? sku}>
          {words.pieces(quantity)} <UserText>{titles.data?.get(productId ?? '') ?? sku ?? productId}</UserText>
        </li>
      ))}
    </ul>
  );
}

/** The order of a withdrawal with the refund that it asks for; without one, the choice of it. */
function AboutOrder({ withdrawal, onMatch }: { withdrawal: Withdrawal; onMatch(order: Order): Promise<boolean> }) {
  const { orderId, orderNumber } = withdrawal;
  const [layer, setLayer] = useState<'match' | 'refund'>();
  const loaded = useLoad(`${orderId}`, async (signal) => {
    if (orderId === null || !can('order.read')) return undefined;
    return (await had(api.GET('/stores/{storeId}/orders/{id}', { params: { path: at({ id: orderId }) }, signal })))
      .item;
  });
  const order = loaded.data;
  const mayMatch = can('withdrawal.write') && can('order.read');
  const close = () => setLayer(undefined);
  return (
    <Section
      title={words.order}
      actions={mayMatch && orderId !== null && <Button onClick={() => setLayer('match')}>{words.rematch}</Button>}
    >
      {orderId === null ? (
        <>
          <p>{words.unmatched}</p>
          {mayMatch && (
            <Button kind="primary" icon="search" onClick={() => setLayer('match')}>
              {words.match}
            </Button>
          )}
        </>
      ) : (
        <Shown of={loaded} what={words.order} rows={3}>
          {(found) => found && <Matched order={found} withdrawal={withdrawal} onRefund={() => setLayer('refund')} />}
        </Shown>
      )}
      {layer === 'match' && (
        <MatchDialog
          asked={orderNumber}
          onPick={async (picked) => {
            if (await onMatch(picked)) close();
          }}
          onClose={close}
        />
      )}
      {order && layer === 'refund' && (
        <RefundDialog
          order={order}
          toShip={leftToShip(order, [])}
          proposed={proposalOf(order, withdrawal)}
          onDone={() => {
            close();
            loaded.reload();
          }}
          onStale={loaded.reload}
          onClose={close}
        />
      )}
    </Section>
  );
}

function Matched({ order, withdrawal, onRefund }: { order: Order; withdrawal: Withdrawal; onRefund(): void }) {
  const { id, orderNumber, total, currency, paymentStatus, paidAt } = order;
  const hasMoney = paymentStatus === 'succeeded' || paymentStatus === 'partially_refunded';
  return (
    <>
      <p class="withdrawn-order">
        <a href={href(`orders/${id}`)}>{orderNumber}</a> <UserText>{buyerOf(order)}</UserText>{' '}
        <Money amount={total} currency={currency} /> <OrderStates order={order} />
      </p>
      {hasMoney ? (
        can('order.write') && (
          <>
            <Button kind={withdrawal.status === 'closed' ? 'plain' : 'primary'} icon="back" onClick={onRefund}>
              {words.refund}
            </Button>
            <p class="quiet withdrawal-hint">
              {words.refundHint} {proposalOf(order, withdrawal).shipping && words.refundWhole}
            </p>
          </>
        )
      ) : (
        <p class="quiet">{paidAt === null ? words.notPaid : words.refunded}</p>
      )}
    </>
  );
}

/** The internal note. */
function Note({ read, onSaved }: { read: Read; onSaved(saved: Read): void }) {
  const { id, merchantNote } = read.item;
  if (!can('withdrawal.write')) {
    return merchantNote ? (
      <Section title={words.merchantNote}>
        <UserText block>{merchantNote}</UserText>
      </Section>
    ) : null;
  }
  return <NoteForm id={id} read={read} onSaved={onSaved} />;
}

const toRead = ({ item, etag }: Read) => ({ values: { merchantNote: item.merchantNote ?? '' }, etag });

function NoteForm({ id, read, onSaved }: { id: string; read: Read; onSaved(saved: Read): void }) {
  const form = useForm({
    key: `withdrawals/${id}/note`,
    labels: { merchantNote: words.noteLabel },
    read: toRead(read),
    saved: words.noteSaved,
    async save(_, etag, all) {
      const saved = await saveOne(id, etag, { merchantNote: all.merchantNote.trim() || null });
      onSaved(saved);
      return toRead(saved);
    },
    reread: async () => toRead(await readOne(id)),
  });
  return (
    <Section title={words.merchantNote}>
      <FormView form={form} saveLabel={words.noteSave}>
        <AreaField form={form} name="merchantNote" label={words.noteLabel} rows={4} />
      </FormView>
    </Section>
  );
}
