import { itemsOf } from '../../api/items.ts';
import { who } from '../../api/session.ts';
import { Button, Page, type ScreenProps, Shown, Time, UserText, useLoad } from '../../kit/index.ts';
import { linesOf } from './buyer.tsx';

/** The packing slip: contents and destination, without prices. */
export default function Slip({ params }: ScreenProps) {
  const { id = '' } = params;
  const loaded = useLoad(id, async (signal) => {
    return (await itemsOf('orders').read(id, signal)).item;
  });
  return (
    <Page
      title={loaded.data ? `Packing slip of ${loaded.data.orderNumber}` : 'Packing slip'}
      back={{ to: `orders/${id}`, label: 'Order' }}
      actions={
        <Button kind="primary" icon="print" onClick={() => print()}>
          Print
        </Button>
      }
    >
      <Shown of={loaded} what="the order" rows={8}>
        {(order) => (
          <article class="slip card">
            <header>
              <p class="slip-store">
                <UserText>{who.value?.store.name}</UserText>
              </p>
              <p>
                {order.orderNumber}
                <br />
                <Time at={order.placedAt ?? order.createdAt} form="day" />
              </p>
            </header>
            <UserText block>
              {order.shippingAddress ? linesOf(order.shippingAddress).join('\n') : 'No address'}
            </UserText>
            <table>
              <thead>
                <tr>
                  <th scope="col">Item</th>
                  <th scope="col">SKU</th>
                  <th scope="col" class="end">
                    Pieces
                  </th>
                </tr>
              </thead>
              <tbody>
                {order.items.map(
                  ({ id: line, titleSnapshot, variantTitle, attributesSnapshot, skuSnapshot, quantity }) => (
                    <tr key={line}>
                      <td>
                        <UserText>{titleSnapshot}</UserText>{' '}
                        <span class="quiet">
                          <UserText>{variantTitle ?? Object.values(attributesSnapshot).join(', ')}</UserText>
                        </span>
                      </td>
                      <td>
                        <UserText>{skuSnapshot}</UserText>
                      </td>
                      <td class="end">{quantity}</td>
                    </tr>
                  ),
                )}
              </tbody>
            </table>
            {order.customerNote && <UserText block>{order.customerNote}</UserText>}
          </article>
        )}
      </Shown>
    </Page>
  );
}
