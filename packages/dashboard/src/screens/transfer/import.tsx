import { useEffect } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { saveFile } from '../../api/download.ts';
import { isAbort } from '../../api/errors.ts';
import { can } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import { query } from '../../browser/router.ts';
import {
  actAfter,
  Button,
  type Fact,
  Facts,
  Page,
  type ScreenProps,
  Section,
  Shown,
  Time,
  UserText,
  useLoad,
} from '../../kit/index.ts';
import { filled } from '../../words/filled.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { problemsFile } from './problems-file.ts';
import { type Import, type Imported, isUnderWay, words, writable } from './resources.ts';
import { ImportState } from './state.tsx';

const text = t.transfer.import;
const { former } = t.transfer;

/** Milliseconds between checks of a running import, and of a waiting one. */
const pause = { running: 1000, waiting: 4000 };

/** One import: its progress and its refused rows. */
export default function ImportScreen({ params }: ScreenProps) {
  const { id = '' } = params;
  const resource = (query.value.get('resource') ?? 'products') as Imported;
  const loaded = useLoad(id, (signal) => readImport(id, resource, signal));
  const now = loaded.data;
  const { reload, set } = loaded;
  useEffect(() => {
    if (!now || !isUnderWay(now)) return;
    const control = new AbortController();
    const look = () =>
      readImport(id, resource, control.signal).then(set, (thrown) => {
        // Loading it again shows the error, and waits as long as the service asks.
        if (!isAbort(thrown)) reload();
      });
    const timer = setTimeout(look, now.status === 'running' ? pause.running : pause.waiting);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [now, id, resource, reload, set]);
  const stop = () =>
    actAfter(
      {
        title: text.stopping.title,
        text: text.stopping.text,
        yes: text.stopping.yes,
      },
      async () => {
        await had(api.DELETE('/stores/{storeId}/imports/{id}', { params: { path: at({ id }), query: { resource } } }));
        reload();
      },
      text.stopping.done,
    );
  return (
    <Page
      title={text.title(words[resource] ?? resource)}
      back={{ to: 'imports?tab=former', label: text.back }}
      beside={now && <ImportState of={now} />}
      actions={
        now &&
        isUnderWay(now) &&
        writable().includes(resource) && (
          <Button kind="danger" onClick={() => void stop()}>
            {text.stop}
          </Button>
        )
      }
    >
      <Shown of={loaded} what={text.the} rows={6}>
        {(one) => (
          <>
            <Progress of={one} />
            <Problems kind="rejected" of={one.problems} total={one.refused} />
            <Problems kind="warnings" of={one.warningsShown} total={one.warnings} />
            {resource === 'products' && can('product.read') && !one.dryRun && one.created + one.updated > 0 && (
              <p>
                <a href={href('products')}>{text.toProducts}</a>
              </p>
            )}
          </>
        )}
      </Shown>
    </Page>
  );
}

async function readImport(id: string, resource: Imported, signal: AbortSignal): Promise<Import> {
  const params = { path: at({ id }), query: { resource } };
  return (await had(api.GET('/stores/{storeId}/imports/{id}', { params, signal }))).item;
}

function Progress({ of: one }: { of: Import }) {
  const { status, readBytes, fileSize, rows, dryRun, error } = one;
  const share = isUnderWay(one) && fileSize ? Math.min(1, readBytes / fileSize) : undefined;
  return (
    <Section title={dryRun ? text.checkOnly : text.progress}>
      {isUnderWay(one) && (
        <div class="sending">
          <progress {...(share === undefined ? {} : { value: share })} max={1} aria-label={text.progressOf} />
          <span class="quiet">
            {share === undefined ? '' : formatNumber(Math.floor(share * 100) / 100, { style: 'percent' })}
          </span>
        </div>
      )}
      <p class="unseen" role="status">
        {isUnderWay(one) ? '' : text.ended(rows)}
      </p>
      {status === 'interrupted' && <p class="notice">{text.interrupted}</p>}
      {error && (
        <p class="notice bad" dir="auto">
          {error}
        </p>
      )}
      <dl class="figures">
        <Figure label={former.rows} value={rows} />
        <Figure label={former.created} value={one.created} />
        <Figure label={former.updated} value={one.updated} />
        <Figure label={text.unchanged} value={one.unchanged} />
        <Figure label={former.refused} value={one.refused} />
        {one.images > 0 && <Figure label={text.images} value={one.images} />}
      </dl>
      <Facts
        of={[
          [text.started, <Time key="b" at={one.createdAt} />],
          [text.finished, <Time key="e" at={one.finishedAt} />],
          [former.format, one.format ?? '–'],
          ...(one.categories.length > 0
            ? [[text.newCategories, <UserText key="c">{one.categories.join(', ')}</UserText>] as Fact]
            : []),
          ...(one.unusedColumns.length > 0
            ? [[text.unusedColumns, <UserText key="u">{one.unusedColumns.join(', ')}</UserText>] as Fact]
            : []),
        ]}
      />
    </Section>
  );
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{formatNumber(value)}</dd>
    </div>
  );
}

/** Refused rows or warnings, also as a file. */
function Problems({ kind, of, total }: { kind: 'rejected' | 'warnings'; of: Import['problems']; total: number }) {
  if (total === 0) return null;
  const title = text[kind];
  const { button, file } = text.download[kind];
  return (
    <Section
      title={text.counted(title, total)}
      actions={
        <Button icon="down" onClick={() => saveFile(new Blob([problemsFile(of)], { type: 'text/csv' }), file)}>
          {button}
        </Button>
      }
    >
      {total > of.length && (
        <p class="quiet">{filled(text.first(of.length), { option: <code>--report refused.csv</code> })}</p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section class="problems" aria-label={title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col" class="end">
                {text.line}
              </th>
              <th scope="col">{text.column}</th>
              <th scope="col">{text.value}</th>
              <th scope="col">{text.reason}</th>
            </tr>
          </thead>
          <tbody>
            {of.map(({ line, column, value, reason }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line may have several
              <tr key={i}>
                <td class="end">{formatNumber(line)}</td>
                <td>
                  <UserText>{column ?? text.wholeRow}</UserText>
                </td>
                <td>{value === null ? '–' : <UserText>{value}</UserText>}</td>
                <td dir="auto">{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Section>
  );
}
