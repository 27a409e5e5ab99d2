import { api, at, had } from '../../api/client.ts';
import { Money, Section, Shown, useLoad } from '../../kit/index.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { Plot } from './plot.tsx';

/** Sales of the last 30 days, as a plot and as a table. */
export function Sales() {
  const loaded = useLoad('sales', (signal) =>
    had(api.GET('/stores/{storeId}/statistics/sales', { params: { path: at() }, signal })),
  );
  return (
    <Section title={t.overview.sales.title}>
      <Shown of={loaded} what={t.overview.sales.what} rows={6}>
        {({ items, sum }) => (
          <>
            <dl class="figures">
              <div>
                <dt>{t.overview.sales.gross}</dt>
                <dd>
                  <Money amount={sum.gross} />
                </dd>
              </div>
              <div>
                <dt>{t.overview.sales.refunded}</dt>
                <dd>
                  <Money amount={sum.refunded} />
                </dd>
              </div>
              <div>
                <dt>{t.overview.sales.net}</dt>
                <dd>
                  <Money amount={sum.net} />
                </dd>
              </div>
              <div>
                <dt>{t.overview.sales.orders}</dt>
                <dd>{formatNumber(sum.orders)}</dd>
              </div>
            </dl>
            <Plot days={items} />
          </>
        )}
      </Shown>
    </Section>
  );
}
