import { useState } from 'preact/hooks';
import { can } from '../../api/session.ts';
import { query, setQuery } from '../../browser/router.ts';
import { Button, LinkButton, Menu, type MenuItem, Page, type ScreenProps, Shown, useItem } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { OrderInvoices } from '../invoices/of-order.tsx';
import { RefundDialog } from '../refunds/refund-dialog.tsx';
import { Refunds } from '../refunds/refund-list.tsx';
import type { Refund } from '../refunds/sums.ts';
import { Buyer } from './buyer.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { Items } from './items.tsx';
import { leftToShip } from './left.ts';
import { Note } from './note.tsx';
import { Parcels } from './parcels.tsx';
import { PayDialog } from './pay-dialog.tsx';
import { OrderDisputes, PaymentFacts } from './payment.tsx';
import { ShipDialog, TrackingDialog } from './ship-dialog.tsx';
import { type Order, OrderStates } from './states.tsx';
import { Timeline } from './timeline.tsx';
import { isPayable, isShippable, offlineKind } from './unpaid.ts';

type Layer = 'send' | 'tracking' | 'cancel' | 'refund' | 'pay';

/** One order: first the items and the address, then money, then its history. */
export default function OrderScreen({ params }: ScreenProps) {
  const { id = '' } = params;
  const loaded = useItem('orders', id);
  // A new order whose payment is to be recorded opens that form.
  const [layer, setLayer] = useState<Layer | undefined>(query.value.has('pay') ? 'pay' : undefined);
  const [tracked, setTracked] = useState<string>();
  const [again, setAgain] = useState<Refund>();
  const [turn, setTurn] = useState(0);
  const order = loaded.data?.item;
  const parcel = order?.fulfilments.find((one) => one.id === tracked);
  const close = () => {
    setLayer(undefined);
    setAgain(undefined);
    setQuery({ pay: undefined }, { replace: true });
  };
  /** Reads the order and its history again. */
  const refresh = () => {
    loaded.reload();
    setTurn((n) => n + 1);
  };
  /** Shows the order after a change. */
  const changed = () => {
    close();
    refresh();
  };
  return (
    <Page
      title={order ? t.orders.named(order.orderNumber) : t.orders.one}
      back={{ to: 'orders', label: t.orders.title }}
      beside={order && <OrderStates order={order} />}
      actions={order && <Actions order={order} open={setLayer} />}
    >
      <Shown of={loaded} what={t.orders.the} rows={8}>
        {(read) => (
          <div class="columns">
            <Items order={read.item} />
            <div class="aside">
              <Buyer
                order={read.item}
                parcels={
                  <Parcels
                    order={read.item}
                    onTracking={(one) => {
                      setTracked(one.id);
                      setLayer('tracking');
                    }}
                    onChanged={changed}
                  />
                }
              />
              <Note key={id} read={read} onSaved={loaded.set} />
            </div>
            <div>
              <PaymentFacts order={read.item} onRefund={() => setLayer('refund')} />
              <OrderDisputes order={read.item} turn={turn} />
              <Refunds
                order={read.item}
                turn={turn}
                onAgain={(failed) => {
                  setAgain(failed);
                  setLayer('refund');
                }}
                onChanged={refresh}
              />
              <OrderInvoices order={read.item} turn={turn} onChanged={refresh} />
              <Timeline id={id} turn={turn} />
            </div>
          </div>
        )}
      </Shown>
      {loaded.data && layer === 'send' && (
        <ShipDialog read={loaded.data} onDone={changed} onStale={loaded.reload} onClose={close} />
      )}
      {loaded.data && parcel && layer === 'tracking' && (
        <TrackingDialog read={loaded.data} parcel={parcel} onDone={changed} onStale={loaded.reload} onClose={close} />
      )}
      {loaded.data && layer === 'cancel' && (
        <CancelDialog read={loaded.data} onDone={changed} onStale={loaded.reload} onClose={close} />
      )}
      {order && layer === 'refund' && (
        <RefundDialog
          order={order}
          toShip={leftToShip(order, [])}
          again={again}
          onDone={changed}
          onStale={refresh}
          onClose={close}
        />
      )}
      {order && isPayable(order) && layer === 'pay' && <PayDialog order={order} onDone={changed} onClose={close} />}
    </Page>
  );
}

/** Actions that the order's state allows; the next step is a button. */
function Actions({ order, open }: { order: Order; open(layer: Layer): void }) {
  const { id, status } = order;
  const isUnpaid = isPayable(order);
  const mayWrite = can('order.write');
  const isOpen = isUnpaid || status === 'paid';
  const items: MenuItem[] = [
    ...(mayWrite && isOpen
      ? [{ label: t.orders.cancel.action, icon: 'close' as const, danger: true, run: () => open('cancel') }]
      : []),
  ];
  return (
    <>
      <LinkButton to={`orders/${id}/slip`} icon="print">
        {t.orders.slip.title}
      </LinkButton>
      {mayWrite && isShippable(order) && (
        <Button kind="primary" icon="truck" onClick={() => open('send')}>
          {t.orders.send.action}
        </Button>
      )}
      {can('payment.write') && isUnpaid && (
        <Button kind={isShippable(order) ? 'plain' : 'primary'} icon="payments" onClick={() => open('pay')}>
          {offlineKind(order) ? t.orders.pay.markPaid : t.orders.pay.action}
        </Button>
      )}
      <Menu label={t.kit.moreActions} items={items} />
    </>
  );
}
