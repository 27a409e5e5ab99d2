import { useState } from 'preact/hooks';
import { api, at, had, hadItem, type Versioned } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { navigate } from '../../browser/router.ts';
import {
  actAfter,
  Button,
  type Fact,
  Facts,
  FormView,
  Page,
  type ScreenProps,
  Section,
  SelectField,
  Shown,
  TextField,
  Time,
  UserText,
  useForm,
  useLoad,
} from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { LinkOnce } from './link.tsx';
import { UserState } from './people.tsx';
import { type Role, roleOptions, type User } from './roles.ts';

const words = t.people;
const path = (id: string) => ({ params: { path: at({ id }) } });

/** A person: name, role, whether the person can sign in, and a link to set another password. */
export default function Person({ params: { id = '' } }: ScreenProps) {
  const loaded = useLoad(id, (signal) => hadItem(api.GET('/stores/{storeId}/users/{id}', { ...path(id), signal })));
  const [link, setLink] = useState<Schemas['SignInLink']>();
  const user = loaded.data?.item;
  return (
    <Page
      title={user?.name || user?.email || words.one}
      back={{ to: 'people', label: words.title }}
      beside={user && <UserState of={user} />}
      actions={user && <Actions user={user} onLink={setLink} onChange={loaded.reload} />}
    >
      <Shown of={loaded} what={words.the} rows={6}>
        {(read) => (
          <>
            {can('user.write') && <PersonForm read={read} onSaved={loaded.set} />}
            <Section title={words.details}>
              <Facts of={factsOf(read.item)} />
            </Section>
          </>
        )}
      </Shown>
      {link && user && <LinkOnce of={link} email={user.email} onDone={() => setLink(undefined)} />}
    </Page>
  );
}

function factsOf({ email, role, passkeys, lastSignInAt, createdAt }: User): Fact[] {
  return [
    [words.columns.email, <UserText key="e">{email}</UserText>],
    [words.columns.role, `${words.roles[role].name}: ${words.roles[role].about}`],
    [words.passkeys, String(passkeys.length)],
    [words.columns.lastSignIn, <Time key="l" at={lastSignInAt} />],
    [words.since, <Time key="c" at={createdAt} />],
  ];
}

function Actions({
  user: { id, email, status },
  onLink,
  onChange,
}: {
  user: User;
  onLink(link: Schemas['SignInLink']): void;
  onChange(): void;
}) {
  const reset = () =>
    actAfter(
      { title: words.reset.title(email), text: words.reset.text, yes: words.reset.yes },
      async () => onLink((await had(api.POST('/stores/{storeId}/users/{id}/reset', path(id)))).item),
      words.reset.done,
    );
  const turn = (to: 'active' | 'disabled') =>
    actAfter(
      { title: words[to].title(email), text: words[to].text, yes: words[to].yes },
      async () => {
        await had(api.PUT('/stores/{storeId}/users/{id}', { ...path(id), body: { status: to } }));
        onChange();
      },
      words[to].done,
    );
  const remove = () =>
    actAfter(
      { title: words.remove.title(email), text: words.remove.text, yes: words.remove.yes },
      async () => {
        await had(api.DELETE('/stores/{storeId}/users/{id}', path(id)));
        await navigate('people', { replace: true });
      },
      words.remove.done,
    );
  return (
    <>
      {can('user.write') && status !== 'disabled' && <Button onClick={() => void reset()}>{words.reset.yes}</Button>}
      {can('user.write') && status !== 'invited' && (
        <Button onClick={() => void turn(status === 'active' ? 'disabled' : 'active')}>
          {words[status === 'active' ? 'disabled' : 'active'].yes}
        </Button>
      )}
      {can('user.delete') && (
        <Button kind="danger" icon="trash" onClick={() => void remove()}>
          {words.remove.yes}
        </Button>
      )}
    </>
  );
}

type Values = { email: string; name: string; role: Role };
const valuesOf = ({ email, name, role }: User): Values => ({ email, name, role });

function PersonForm({ read, onSaved }: { read: Versioned<User>; onSaved(saved: Versioned<User>): void }) {
  const { id } = read.item;
  const form = useForm<Values>({
    key: `users/${id}`,
    read: { values: valuesOf(read.item), etag: read.etag },
    saved: words.saved,
    async save(changes, etag) {
      const headers = etag ? { 'If-Match': etag } : {};
      const now = await hadItem(api.PUT('/stores/{storeId}/users/{id}', { ...path(id), body: changes, headers }));
      onSaved(now);
      return { values: valuesOf(now.item), etag: now.etag };
    },
    async reread() {
      const now = await hadItem(api.GET('/stores/{storeId}/users/{id}', path(id)));
      return { values: valuesOf(now.item), etag: now.etag };
    },
  });
  return (
    <FormView form={form}>
      <Section title={words.about}>
        <div class="field-row">
          <TextField form={form} name="name" label={words.columns.name} />
          <TextField form={form} name="email" label={words.columns.email} type="email" />
        </div>
        <SelectField
          form={form}
          name="role"
          label={words.columns.role}
          options={roleOptions}
          hint={words.roles[form.values.value.role].about}
        />
      </Section>
    </FormView>
  );
}
