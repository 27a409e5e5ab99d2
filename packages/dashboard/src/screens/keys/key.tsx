import { api, at, had } from '../../api/client.ts';
import { can, who } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import { navigate } from '../../browser/router.ts';
import { Icon } from '../../icons/icon.tsx';
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
import { formatList } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { KeyState } from './keys.tsx';
import { madeBy } from './made-by.ts';
import { type ApiKey, readKeys } from './names.ts';
import { type Action, actionLabels, actions, resources, scopeOf } from './scopes.ts';

const words = t.keys;
const { details } = words;

/** Most names of keys in a question. */
const maxNames = 10;

/** One key: its scopes, its last use, and the keys that end with it. */
export default function KeyScreen({ params: { id = '' } }: ScreenProps) {
  const loaded = useLoad(id, async (signal) => {
    const [{ item }, keys] = await Promise.all([
      had(api.GET('/stores/{storeId}/api-keys/{id}', { params: { path: at({ id }) }, signal })),
      readKeys(signal),
    ]);
    return { item, keys };
  });
  const key = loaded.data?.item;
  const children = loaded.data ? madeBy(id, loaded.data.keys.values()) : [];
  const isOwn = id === who.value?.key?.id;
  const revoke = ({ name }: ApiKey) =>
    actAfter(
      {
        title: details.revoking.title(name),
        text: [
          details.revoking.text,
          children.length > 0 &&
            details.revoking.children(
              formatList([
                ...children.slice(0, maxNames).map((one) => one.name),
                ...(children.length > maxNames ? [details.revoking.more(children.length - maxNames)] : []),
              ]),
            ),
          isOwn && details.revoking.own,
        ]
          .filter(Boolean)
          .join(' '),
        yes: details.revoke,
      },
      async () => {
        await had(api.DELETE('/stores/{storeId}/api-keys/{id}', { params: { path: at({ id }) } }));
        await navigate('keys', { replace: true });
      },
      details.revoking.done,
    );
  return (
    <Page
      title={key?.name ?? words.one}
      back={{ to: 'keys', label: words.title }}
      beside={key && <KeyState of={key} />}
      actions={
        key &&
        can('apiKey.delete') && (
          <Button kind="danger" icon="trash" onClick={() => void revoke(key)}>
            {details.revoke}
          </Button>
        )
      }
    >
      <Shown of={loaded} what={words.the} rows={6}>
        {({ item, keys }) => (
          <div class="columns">
            <Section title={words.permissions.title}>
              <Grid scopes={item.scopes} />
            </Section>
            <div class="aside">
              <Section title={details.about}>
                <Facts
                  of={[
                    [words.columns.prefix, <code key="p">{item.prefix}…</code>],
                    [details.kind, words.kinds[item.kind]],
                    [words.columns.lastUsed, <Time key="l" at={item.lastUsedAt} />] as Fact,
                    [
                      words.columns.expires,
                      item.expiresAt ? <Time key="e" at={item.expiresAt} /> : words.never,
                    ] as Fact,
                    [details.created, <Time key="c" at={item.createdAt} />] as Fact,
                    [
                      words.columns.createdBy,
                      <Maker key="m" id={item.createdBy} name={keys.get(item.createdBy ?? '')?.name} />,
                    ],
                  ]}
                />
              </Section>
              {children.length > 0 && (
                <Section title={details.children}>
                  <ul>
                    {children.slice(0, 50).map((one) => (
                      <li key={one.id}>
                        <a href={href(`keys/${one.id}`)}>
                          <UserText>{one.name}</UserText>
                        </a>
                      </li>
                    ))}
                  </ul>
                </Section>
              )}
              {can('auditLog.read') && (
                <p>
                  <a href={href(`audit?actorId=${item.id}`)}>{details.changes}</a>
                </p>
              )}
            </div>
          </div>
        )}
      </Shown>
    </Page>
  );
}

function Maker({ id, name }: { id: string | null; name: string | undefined }) {
  if (id === null) return <>{details.noMaker}</>;
  return (
    <a href={href(`keys/${id}`)}>
      <UserText>{name ?? details.otherKey}</UserText>
    </a>
  );
}

/** A table of scopes. */
function Grid({ scopes }: { scopes: readonly string[] }) {
  return (
    <table class="scopes">
      <thead>
        <tr>
          <th scope="col">{words.permissions.area}</th>
          {actions.map((action) => (
            <th key={action} scope="col">
              {actionLabels[action]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {resources.map(([resource, label, own]) => (
          <tr key={resource}>
            <th scope="row">{label}</th>
            {actions.map((action) => (
              <td key={action}>
                <Mark has={own.includes(action) && scopes.includes(scopeOf(resource, action))} action={action} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Mark({ has, action }: { has: boolean; action: Action }) {
  if (!has) return <span class="quiet">–</span>;
  return (
    <>
      <Icon name="check" />
      <span class="unseen">{actionLabels[action]}</span>
    </>
  );
}
