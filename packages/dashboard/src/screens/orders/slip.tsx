import { itemsOf } from '../../api/items.ts';
import { who } from '../../api/session.ts';
import { query } from '../../browser/router.ts';
import { Button, Empty, Page, type ScreenProps, Shown, Time, UserText, useLoad } from '../../kit/index.ts';
import { variantText } from '../../kit/terms/line.ts';
import { t } from '../../words/words.ts';
import { OptionList } from '../labels/options.tsx';
import { linesOf } from './buyer.tsx';
import type { Order } from './states.tsx';

/** The packing slip of an order or of one of its parcels: contents and destination, without prices. */
export default function Slip({ params }: ScreenProps) {
  const { id = '' } = params;
  const loaded = useLoad(id, async (signal) => {
    return (await itemsOf('orders').read(id, signal)).item;
  });
  return (
    <Page
      title={loaded.data ? t.orders.slip.titleOf(loaded.data.orderNumber) : t.orders.slip.title}
      back={{ to: `orders/${id}`, label: t.orders.one }}
      actions={
        <Button kind="primary" icon="print" onClick={() => print()}>
          {t.orders.slip.print}
        </Button>
      }
    >
      <Shown of={loaded} what={t.orders.the} rows={8}>
        {(order) => {
          const parcel = query.value.get('parcel');
          const place = order.fulfilments.findIndex((one) => one.id === parcel);
          if (parcel !== null && place === -1) return <Empty title={t.orders.slip.noParcel} icon="search" />;
          return (
            <article class="slip card">
              <header>
                <p class="slip-store">
                  <UserText>{who.value?.store.name}</UserText>
                </p>
                <p>
                  {order.orderNumber}
                  <br />
                  <Time at={order.placedAt ?? order.createdAt} form="day" />
                  {place !== -1 && (
                    <>
                      <br />
                      {t.orders.slip.parcel(place + 1, order.fulfilments.length)}
                    </>
                  )}
                </p>
              </header>
              <UserText block>
                {order.shippingAddress ? linesOf(order.shippingAddress).join('\n') : t.orders.customer.noAddress}
              </UserText>
              <table>
                <thead>
                  <tr>
                    <th scope="col">{t.orders.slip.item}</th>
                    <th scope="col">{t.orders.slip.sku}</th>
                    <th scope="col" class="end">
                      {t.orders.slip.quantity}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {contentsOf(order, order.fulfilments[place]).map((line) => (
                    <tr key={line.id}>
                      <td>
                        <UserText>{line.titleSnapshot}</UserText>{' '}
                        <span class="quiet">
                          <UserText>{variantText(line)}</UserText>
                        </span>
                        <OptionList options={line.options} />
                      </td>
                      <td>
                        <UserText>{line.skuSnapshot}</UserText>
                      </td>
                      <td class="end">{line.quantity}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <SlipNote title={t.orders.items.customerNote} text={order.customerNote} />
              <SlipNote title={t.orders.items.giftNote} text={order.giftNote} />
            </article>
          );
        }}
      </Shown>
    </Page>
  );
}

function SlipNote({ title, text }: { title: string; text: string | null }) {
  if (!text) return null;
  return (
    <div>
      <h2>{title}</h2>
      <UserText block>{text}</UserText>
    </div>
  );
}

/** Lines of an order; with a parcel, only what is in it. */
function contentsOf({ items }: Order, parcel: Order['fulfilments'][number] | undefined): Order['items'] {
  if (!parcel) return items;
  return items.flatMap((item) => {
    const line = parcel.lines.find(({ itemId }) => itemId === item.id);
    return line ? [{ ...item, quantity: line.quantity }] : [];
  });
}
