import { api, at, had } from '../../api/client.ts';
import { Money, Section, Shown, useLoad } from '../../kit/index.ts';
import { Plot } from './plot.tsx';

/** Sales of the last 30 days, as a plot and as a table. */
export function Sales() {
  const loaded = useLoad('sales', (signal) =>
    had(api.GET('/stores/{storeId}/statistics/sales', { params: { path: at() }, signal })),
  );
  return (
    <Section title="Sales of the last 30 days">
      <Shown of={loaded} what="the sales" rows={6}>
        {({ items, sum }) => (
          <>
            <dl class="figures">
              <div>
                <dt>Sold</dt>
                <dd>
                  <Money amount={sum.gross} />
                </dd>
              </div>
              <div>
                <dt>Refunded</dt>
                <dd>
                  <Money amount={sum.refunded} />
                </dd>
              </div>
              <div>
                <dt>Net</dt>
                <dd>
                  <Money amount={sum.net} />
                </dd>
              </div>
              <div>
                <dt>Paid orders</dt>
                <dd>{sum.orders.toLocaleString()}</dd>
              </div>
            </dl>
            <Plot days={items} />
          </>
        )}
      </Shown>
    </Section>
  );
}
