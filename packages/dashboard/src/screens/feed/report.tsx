import { useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { href } from '../../browser/places.ts';
import { query, setQuery } from '../../browser/router.ts';
import { act, Badge, Button, Empty, LinkButton, Page, Section, Shown, UserText, useLoad } from '../../kit/index.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { columnText } from '../settings/form/feed-fields.ts';

const words = t.feedReport;

type Report = Schemas['FeedReport'];
type Reported = Report['items'][number];

function ask(warnings: boolean, after?: string, signal?: AbortSignal): Promise<Report> {
  const params = { path: at(), query: { limit: 50, ...(warnings ? { warnings } : {}), ...(after ? { after } : {}) } };
  return had(api.GET('/stores/{storeId}/products/feed-report', { params, signal: signal ?? null }));
}

/** The published products that the feed leaves out, with the reasons. */
export default function FeedReport() {
  const warnings = query.value.has('warnings');
  const loaded = useLoad(`feed-report ${warnings}`, (signal) => ask(warnings, undefined, signal));
  return (
    <Page
      title={words.title}
      back={{ to: 'products', label: t.products.title }}
      actions={
        can('settings.read') && (
          <LinkButton to="settings?tab=feed" icon="settings">
            {words.toSettings}
          </LinkButton>
        )
      }
    >
      <Shown of={loaded} what={words.what} rows={8}>
        {(report) => (
          <>
            {report.totals && <Totals totals={report.totals} />}
            <label class="check">
              <input
                type="checkbox"
                checked={warnings}
                onChange={({ currentTarget }) => setQuery({ warnings: currentTarget.checked ? '1' : undefined })}
              />
              {words.withWarnings}
            </label>
            <Products key={`${warnings}`} first={report} warnings={warnings} />
          </>
        )}
      </Shown>
    </Page>
  );
}

function Totals({
  totals: { published, checked, listed, leftOut, warned },
}: {
  totals: NonNullable<Report['totals']>;
}) {
  return (
    <p>
      {words.listed(listed, checked)} {leftOut > 0 && words.leftOut(leftOut)} {warned > 0 && words.warned(warned)}
      {checked < published && <span class="quiet"> {words.oldest(checked, published)}</span>}
    </p>
  );
}

/** The products so far, and a button for the next ones. */
function Products({ first, warnings }: { first: Report; warnings: boolean }) {
  const [more, setMore] = useState<readonly Reported[]>([]);
  const [after, setAfter] = useState(first.after);
  const [busy, setBusy] = useState(false);
  const items = [...first.items, ...more];
  const next = async () => {
    if (after === null) return;
    setBusy(true);
    await act(async () => {
      const page = await ask(warnings, after);
      setMore((found) => [...found, ...page.items]);
      setAfter(page.after);
    });
    setBusy(false);
  };
  if (items.length === 0 && after === null) {
    return (
      <Empty title={first.totals?.published === 0 ? words.noProducts : words.none} icon="check">
        {first.totals?.published !== 0 && <p>{words.noneText}</p>}
      </Empty>
    );
  }
  return (
    <Section title={words.products}>
      <ul class="feed-report">
        {items.map(({ id, title, sku, isLeftOut, problems }) => (
          <li key={id}>
            <p>
              <a href={href(`products/${id}`)}>
                <UserText>{title}</UserText>
              </a>{' '}
              <span class="quiet">
                <UserText>{sku}</UserText>
              </span>{' '}
              <Badge tone={isLeftOut ? 'bad' : 'wait'}>{isLeftOut ? words.isLeftOut : words.isListed}</Badge>
            </p>
            <ul>
              {problems.map(({ code, field }) => (
                <li key={`${code} ${field}`}>
                  {code === 'VALUE_NOT_TAKEN' ? words.valueNotTaken(columnText(field)) : words.problems[code]}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {after !== null && (
        <Button busy={busy} onClick={() => void next()}>
          {words.more(formatNumber(items.length))}
        </Button>
      )}
    </Section>
  );
}
