import type { paths } from '@commerce/server/api';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { type Column, type Filter, List, Page, Time, UserText, useLoad } from '../../kit/index.ts';
import { readKeys } from '../keys/names.ts';
import { actorOf, type Entry, summaryOf, thingOptions, things } from './words.ts';

type Query = NonNullable<paths['/stores/{storeId}/audit-logs']['get']['parameters']['query']>;

/** The audit log. */
export default function Audit() {
  const keys = useLoad('keys', readKeys);
  const nameOf = (id: string) => keys.data?.get(id)?.name;
  const columns: readonly Column<Entry>[] = [
    { label: 'What', cell: ({ action }) => action, card: 'title' },
    { label: 'When', cell: ({ createdAt }) => <Time at={createdAt} />, card: 'amount' },
    { label: 'Who', cell: (entry) => <UserText>{actorOf(entry, nameOf)}</UserText>, card: 'state' },
    { label: 'Resource', cell: ({ resourceType }) => things[resourceType]?.[0] ?? resourceType },
    { label: 'Changes', cell: (entry) => <UserText>{summaryOf(entry)}</UserText>, card: 'meta' },
  ];
  const filters: readonly Filter[] = [
    { name: 'resourceType', label: 'Resource type', options: thingOptions },
    { name: 'resourceId', label: 'Resource id' },
    { name: 'action', label: 'Action' },
    can('apiKey.read') && keys.data
      ? {
          name: 'actorId',
          label: 'Key or provider',
          options: [
            ...[...keys.data.values()].map(({ id, name }) => [id, name] as const),
            ...['stripe', 'paypal', 'square'].map((name) => [name, name] as const),
          ],
        }
      : { name: 'actorId', label: 'Id of the key' },
  ];
  return (
    <Page title="Audit log">
      <div class="log">
        <List<Entry>
          what="entries"
          filters={filters}
          columns={columns}
          idOf={({ id }) => id}
          nameOf={({ action }) => `entry ${action}`}
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
            title: 'No changes yet',
            icon: 'audit',
            children: <p>Every change in the shop is listed here, with its author.</p>,
          }}
        />
      </div>
    </Page>
  );
}
