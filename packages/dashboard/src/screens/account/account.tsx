import { api, at, had } from '../../api/client.ts';
import { reenter } from '../../api/entering.ts';
import { who } from '../../api/session.ts';
import { type Fact, Facts, Page, Section, Shown, UserText, useLoad } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { NewAccount } from './new-account.tsx';
import { Passkeys } from './passkeys.tsx';
import { PasswordSection } from './password.tsx';
import { Sessions } from './sessions.tsx';

const words = t.account;

/** The account of the person who has signed in. */
export default function Account() {
  const user = who.value?.user;
  return (
    <Page title={words.title}>{!user ? <p>{words.noAccount}</p> : user.id === null ? <NewAccount /> : <Own />}</Page>
  );
}

function Own() {
  const loaded = useLoad('own', (signal) =>
    had(api.GET('/stores/{storeId}/users/me', { params: { path: at() }, signal })),
  );
  // The reminder above the page knows, too.
  const change = () => {
    loaded.reload();
    void reenter().catch(() => {});
  };
  return (
    <Shown of={loaded} what={words.the} rows={6}>
      {({ item }) => (
        <>
          <Section title={words.about}>
            <Facts
              of={[
                [words.name, <UserText key="n">{item.name || '–'}</UserText>],
                [words.email, <UserText key="e">{item.email}</UserText>],
                [words.role, t.people.roles[item.role].name],
                ...(item.stores.length > 1
                  ? [
                      [
                        words.stores,
                        <UserText key="s">{item.stores.map(({ name }) => name).join(', ')}</UserText>,
                      ] as Fact,
                    ]
                  : []),
              ]}
            />
          </Section>
          <PasswordSection own={item} onChange={change} />
          <Passkeys of={item.passkeys} onChange={change} />
          <Sessions />
        </>
      )}
    </Shown>
  );
}
