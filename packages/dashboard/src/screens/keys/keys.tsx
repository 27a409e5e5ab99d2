import { api, at, had } from '../../api/client.ts';
import { can, who } from '../../api/session.ts';
import { Badge, type Column, LinkButton, List, Page, Time, UserText, useLoad } from '../../kit/index.ts';
import { type ApiKey, readKeys } from './names.ts';
import { allScopes } from './scopes.ts';

/** The scopes of a key, in short. */
export function mightOf({ kind, scopes }: Pick<ApiKey, 'kind' | 'scopes'>): string {
  if (kind === 'storefront') return 'Published items, checkouts';
  if (allScopes.every((scope) => scopes.includes(scope))) return 'Everything';
  const isReading = scopes.every((scope) => scope.endsWith('.read'));
  const all = allScopes.filter((scope) => scope.endsWith('.read')).every((scope) => scopes.includes(scope));
  if (isReading && all) return 'See everything';
  return scopes.length <= 2 ? scopes.join(', ') : `${scopes.length} scopes`;
}

export function KeyState({ of: { id, kind, expiresAt } }: { of: ApiKey }) {
  if (expiresAt && Date.parse(expiresAt) <= Date.now()) return <Badge>Ended</Badge>;
  if (id === who.value?.key.id) return <Badge tone="good">This session</Badge>;
  return kind === 'storefront' ? <Badge>Storefront</Badge> : null;
}

/** Keys of programs and people for the shop's interface. */
export default function Keys() {
  const names = useLoad('names', readKeys);
  const columns: readonly Column<ApiKey>[] = [
    { label: 'Name', cell: ({ name }) => <UserText>{name}</UserText>, card: 'title' },
    { label: 'Begins with', cell: ({ prefix }) => <code>{prefix}…</code>, card: 'meta' },
    { label: 'Permissions', cell: mightOf },
    { label: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} age />, card: 'amount' },
    { label: 'Ends', cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} form="day" /> : 'Never') },
    {
      label: 'Created by',
      cell: ({ createdBy }) => <UserText>{createdBy && names.data?.get(createdBy)?.name}</UserText>,
    },
    { label: 'State', cell: (key) => <KeyState of={key} />, card: 'state' },
  ];
  return (
    <Page
      title="API keys"
      actions={
        can('apiKey.write') && (
          <LinkButton to="keys/new" icon="plus" kind="primary">
            New key
          </LinkButton>
        )
      }
    >
      <List<ApiKey>
        what="keys"
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => `key ${name}`}
        to={({ id }) => `keys/${id}`}
        load={(_, window, signal) =>
          had(api.GET('/stores/{storeId}/api-keys', { params: { path: at(), query: window }, signal }))
        }
        empty={{ title: 'No keys yet', icon: 'keys' }}
      />
    </Page>
  );
}
