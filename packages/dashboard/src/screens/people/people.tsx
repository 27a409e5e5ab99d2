import { api, at, had } from '../../api/client.ts';
import { can, who } from '../../api/session.ts';
import { Badge, type Column, LinkButton, List, Page, Time, UserText } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import type { User } from './roles.ts';

const words = t.people;

export function UserState({ of: { id, status } }: { of: Pick<User, 'id' | 'status'> }) {
  if (status === 'invited') return <Badge tone="wait">{words.states.invited}</Badge>;
  if (status === 'disabled') return <Badge tone="bad">{words.states.disabled}</Badge>;
  return id === who.value?.user?.id ? <Badge tone="good">{words.states.you}</Badge> : null;
}

const columns: readonly Column<User>[] = [
  { label: words.columns.name, cell: ({ name, email }) => <UserText>{name || email}</UserText>, card: 'title' },
  { label: words.columns.email, cell: ({ email }) => <UserText>{email}</UserText>, card: 'meta' },
  { label: words.columns.role, cell: ({ role }) => words.roles[role].name, card: 'amount' },
  { label: words.columns.lastSignIn, cell: ({ lastSignInAt }) => <Time at={lastSignInAt} age /> },
  { label: words.columns.status, cell: (user) => <UserState of={user} />, card: 'state' },
];

/** The people who sign in to the shop. */
export default function People() {
  return (
    <Page
      title={words.title}
      actions={
        can('user.write') && (
          <LinkButton to="people/new" icon="plus" kind="primary">
            {words.invite}
          </LinkButton>
        )
      }
    >
      <List<User>
        what={words.many}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name, email }) => name || email}
        to={({ id }) => `people/${id}`}
        load={(_, window, signal) =>
          had(api.GET('/stores/{storeId}/users', { params: { path: at(), query: window }, signal }))
        }
        empty={{ title: words.empty.title, icon: 'customers', children: <p>{words.empty.text}</p> }}
      />
    </Page>
  );
}
