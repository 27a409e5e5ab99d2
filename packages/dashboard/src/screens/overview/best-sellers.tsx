import { deskChanges } from '../../api/desk.ts';
import { can } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import { Money, Section, Shown, UserText, useLoad } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { Thumb } from '../media/thumb.tsx';
import { loadBestWithPictures } from '../statistics/best.ts';
import type { Period } from '../statistics/period.ts';

/** Rows, for which the styles reserve the height. */
const shownRows = 5;

/** The best-selling products of a period, with their pictures. */
export function BestSellers({ period }: { period: Period }) {
  const loaded = useLoad(
    'best',
    (signal) => loadBestWithPictures(period, { limit: shownRows, offset: 0 }, signal),
    `${period.from} ${period.to} ${deskChanges.value}`,
  );
  return (
    <Section
      title={t.home.best.title}
      actions={<a href={href(`statistics?view=products${periodQuery()}`)}>{t.home.best.all}</a>}
    >
      <div class="best-space">
        <Shown of={loaded} what={t.home.best.what} rows={shownRows}>
          {({ items }) =>
            items.length === 0 ? (
              <p class="quiet">{t.statistics.noSales}</p>
            ) : (
              <ol class="best">
                {items.map(({ productId, title, primaryMediaId, quantity, gross }) => (
                  <li key={productId}>
                    <Thumb id={primaryMediaId} />
                    <span class="name">
                      {can('product.read') ? (
                        <a href={href(`products/${productId}`)}>
                          <UserText>{title ?? t.statistics.deleted}</UserText>
                        </a>
                      ) : (
                        <UserText>{title ?? t.statistics.deleted}</UserText>
                      )}
                    </span>
                    <span class="quiet">{t.home.best.quantity(quantity)}</span>
                    <Money amount={gross} />
                  </li>
                ))}
              </ol>
            )
          }
        </Shown>
      </div>
    </Section>
  );
}

/** The period of the address, for a link to the same period. */
function periodQuery(): string {
  const query = new URLSearchParams(location.search).toString();
  return query === '' ? '' : `&${query}`;
}
