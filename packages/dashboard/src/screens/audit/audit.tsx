import type { paths } from '@commerce/server/api';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { type Column, type Filter, List, Page, Time, UserText, useLoad } from '../../kit/index.ts';
import { actionWords } from '../../kit/terms/action.ts';
import { providerNames } from '../../kit/terms/payment.ts';
import { t } from '../../words/words.ts';
import { readKeys } from '../keys/names.ts';
import { actorOf, type Entry, summaryOf, thingOptions } from './words.ts';

const words = t.audit;

type Query = NonNullable<paths['/stores/{storeId}/audit-logs']['get']['parameters']['query']>;

/** The audit log. */
export default function Audit() {
  const keys = useLoad('keys', readKeys);
  const nameOf = (id: string) => keys.data?.get(id)?.name;
  const columns: readonly Column<Entry>[] = [
    { label: words.columns.what, cell: ({ action }) => actionWords(action), card: 'title' },
    { label: words.columns.when, cell: ({ createdAt }) => <Time at={createdAt} />, card: 'amount' },
    { label: words.columns.who, cell: (entry) => <UserText>{actorOf(entry, nameOf)}</UserText>, card: 'state' },
    { label: words.columns.code, cell: ({ action }) => <code class="quiet">{action}</code> },
    { label: words.columns.changes, cell: (entry) => <UserText>{summaryOf(entry)}</UserText>, card: 'meta' },
  ];
  const filters: readonly Filter[] = [
    { name: 'resourceType', label: words.filters.resourceType, options: thingOptions },
    { name: 'resourceId', label: words.filters.resourceId },
    { name: 'action', label: words.filters.action },
    can('apiKey.read') && keys.data
      ? {
          name: 'actorId',
          label: words.filters.actor,
          options: [
            ...[...keys.data.values()].map(({ id, name }) => [id, name] as const),
            ...Object.entries(providerNames).filter(([name]) => name !== 'manual'),
          ],
        }
      : { name: 'actorId', label: words.filters.actorId },
  ];
  return (
    <Page title={words.title}>
      <div class="log">
        <List<Entry>
          what={words.many}
          filters={filters}
          columns={columns}
          idOf={({ id }) => id}
          nameOf={({ action }) => words.named(actionWords(action))}
          to={({ id }) => `audit/${id}`}
          load={(values, window, signal) =>
            had(
              api.GET('/stores/{storeId}/audit-logs', {
                params: { path: at(), query: { ...(values as Query), ...window } },
                signal,
              }),
            )
          }
          empty={{
            title: words.empty.title,
            icon: 'audit',
            children: <p>{words.empty.text}</p>,
          }}
        />
      </div>
    </Page>
  );
}
