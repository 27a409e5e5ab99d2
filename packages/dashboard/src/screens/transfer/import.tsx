import { useEffect, useRef } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
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
import { type Import, type Imported, isUnderWay, words, writable } from './resources.ts';
import { ImportState } from './state.tsx';

/** Milliseconds between checks of a running import, and of a waiting one. */
const pause = { running: 1000, waiting: 4000 };

/** One import: its progress and its refused rows. */
export default function ImportScreen({ params }: ScreenProps) {
  const { id = '' } = params;
  const resource = (query.value.get('resource') ?? 'products') as Imported;
  const loaded = useLoad(id, (signal) => readImport(id, resource, signal));
  const now = loaded.data;
  const rate = useRate(now);
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
        title: 'Stop the import?',
        text: 'It stops after the current rows. Rows already written are kept.',
        yes: 'Stop',
      },
      async () => {
        await had(api.DELETE('/stores/{storeId}/imports/{id}', { params: { path: at({ id }), query: { resource } } }));
        reload();
      },
      'Import stopped.',
    );
  return (
    <Page
      title={`Import of ${words[resource]?.toLowerCase() ?? resource}`}
      back={{ to: 'imports?tab=former', label: 'Imports' }}
      beside={now && <ImportState of={now} />}
      actions={
        now &&
        isUnderWay(now) &&
        writable().includes(resource) && (
          <Button kind="danger" onClick={() => void stop()}>
            Stop
          </Button>
        )
      }
    >
      <Shown of={loaded} what="the import" rows={6}>
        {(one) => (
          <>
            <Progress of={one} rate={rate} />
            <Problems title="Rejected rows" of={one.problems} total={one.refused} />
            <Problems title="Warnings" of={one.warningsShown} total={one.warnings} />
            {resource === 'products' && can('product.read') && !one.dryRun && one.created + one.updated > 0 && (
              <p>
                <a href={href('products')}>To the products</a>
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

/** Rows a second between the first check and the last one. */
function useRate(now: Import | undefined): number | undefined {
  const first = useRef<{ rows: number; at: number } | undefined>(undefined);
  const last = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (now?.status !== 'running') return;
    const at = performance.now();
    if (!first.current) first.current = { rows: now.rows, at };
    else if (at - first.current.at > 500) {
      last.current = ((now.rows - first.current.rows) / (at - first.current.at)) * 1000;
    }
  }, [now]);
  if (!now) return undefined;
  if (now.status === 'running') return last.current;
  const seconds = (Date.parse(now.finishedAt ?? now.updatedAt) - Date.parse(now.createdAt)) / 1000;
  return now.finishedAt && seconds > 0.2 ? now.rows / seconds : undefined;
}

function Progress({ of: one, rate }: { of: Import; rate: number | undefined }) {
  const { status, readBytes, fileSize, rows, dryRun, error } = one;
  const share = isUnderWay(one) && fileSize ? Math.min(1, readBytes / fileSize) : undefined;
  return (
    <Section title={dryRun ? 'Only checked: nothing is imported' : 'Progress'}>
      {isUnderWay(one) && (
        <div class="sending">
          <progress {...(share === undefined ? {} : { value: share })} max={1} aria-label="Progress of the import" />
          <span class="quiet">{share === undefined ? '' : `${Math.floor(share * 100)} %`}</span>
        </div>
      )}
      <p class="unseen" role="status">
        {isUnderWay(one) ? '' : `The import has ended with ${rows} rows.`}
      </p>
      {status === 'interrupted' && <p class="notice">The service was stopped; it goes on at its next start.</p>}
      {error && (
        <p class="notice bad" dir="auto">
          {error}
        </p>
      )}
      <dl class="figures">
        <Figure label="Rows" value={rows} />
        <Figure label="Created" value={one.created} />
        <Figure label="Changed" value={one.updated} />
        <Figure label="Unchanged" value={one.unchanged} />
        <Figure label="Refused" value={one.refused} />
        {one.images > 0 && <Figure label="Pictures" value={one.images} />}
        {rate !== undefined && <Figure label="Rows per second" value={Math.round(rate)} />}
      </dl>
      <Facts
        of={[
          ['Begun', <Time key="b" at={one.createdAt} />],
          ['Ended', <Time key="e" at={one.finishedAt} />],
          ['Format', one.format ?? '–'],
          ...(one.categories.length > 0
            ? [['New categories', <UserText key="c">{one.categories.join(', ')}</UserText>] as Fact]
            : []),
          ...(one.unusedColumns.length > 0
            ? [['Unknown columns', <UserText key="u">{one.unusedColumns.join(', ')}</UserText>] as Fact]
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
      <dd>{value.toLocaleString()}</dd>
    </div>
  );
}

function Problems({ title, of, total }: { title: string; of: Import['problems']; total: number }) {
  if (total === 0) return null;
  return (
    <Section title={`${title} (${total.toLocaleString()})`}>
      {total > of.length && (
        <p class="quiet">
          The first {of.length}; the command line writes all of them to a file: <code>--report refused.csv</code>.
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section class="problems" aria-label={title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col" class="end">
                Line
              </th>
              <th scope="col">Column</th>
              <th scope="col">Value</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {of.map(({ line, column, value, reason }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line may have several
              <tr key={i}>
                <td class="end">{line.toLocaleString()}</td>
                <td>
                  <UserText>{column ?? 'The row'}</UserText>
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
