import { api, at, had } from '../../api/client.ts';
import { can, who } from '../../api/session.ts';
import { Badge, type Column, LinkButton, List, Page, Time, UserText, useLoad } from '../../kit/index.ts';
import { formatList } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { type ApiKey, readKeys } from './names.ts';
import { allScopes, scopeWords } from './scopes.ts';

const words = t.keys;

/** The scopes of a key, in short. */
export function mightOf({ kind, scopes }: Pick<ApiKey, 'kind' | 'scopes'>): string {
  if (kind === 'storefront') return words.permissions.storefront;
  if (allScopes.every((scope) => scopes.includes(scope))) return words.permissions.all;
  const isReading = scopes.every((scope) => scope.endsWith('.read'));
  const all = allScopes.filter((scope) => scope.endsWith('.read')).every((scope) => scopes.includes(scope));
  if (isReading && all) return words.permissions.readAll;
  return scopes.length <= 2 ? formatList(scopes.map(scopeWords)) : words.permissions.count(scopes.length);
}

export function KeyState({ of: { id, kind, expiresAt } }: { of: ApiKey }) {
  if (expiresAt && Date.parse(expiresAt) <= Date.now()) return <Badge>{words.expired}</Badge>;
  if (id === who.value?.key?.id) return <Badge tone="good">{words.thisSession}</Badge>;
  return kind === 'storefront' ? <Badge>{words.kinds.storefront}</Badge> : null;
}

/** Keys of programs and people for the shop's interface. */
export default function Keys() {
  const names = useLoad('names', readKeys);
  const columns: readonly Column<ApiKey>[] = [
    { label: words.columns.name, cell: ({ name }) => <UserText>{name}</UserText>, card: 'title' },
    { label: words.columns.prefix, cell: ({ prefix }) => <code>{prefix}…</code>, card: 'meta' },
    { label: words.columns.permissions, cell: mightOf },
    { label: words.columns.lastUsed, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} age />, card: 'amount' },
    {
      label: words.columns.expires,
      cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} form="day" /> : words.never),
    },
    {
      label: words.columns.createdBy,
      cell: ({ createdBy }) => <UserText>{createdBy && names.data?.get(createdBy)?.name}</UserText>,
    },
    { label: words.columns.status, cell: (key) => <KeyState of={key} />, card: 'state' },
  ];
  return (
    <Page
      title={words.title}
      actions={
        can('apiKey.write') && (
          <LinkButton to="keys/new" icon="plus" kind="primary">
            {words.new}
          </LinkButton>
        )
      }
    >
      <List<ApiKey>
        what={words.many}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => words.named(name)}
        to={({ id }) => `keys/${id}`}
        load={(_, window, signal) =>
          had(api.GET('/stores/{storeId}/api-keys', { params: { path: at(), query: window }, signal }))
        }
        empty={{ title: words.empty, icon: 'keys' }}
      />
    </Page>
  );
}
