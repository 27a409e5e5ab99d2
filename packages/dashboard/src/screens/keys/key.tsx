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
import { KeyState } from './keys.tsx';
import { madeBy } from './made-by.ts';
import { type ApiKey, readKeys } from './names.ts';
import { type Action, actionLabels, actions, resources, scopeOf } from './scopes.ts';

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
  const isOwn = id === who.value?.key.id;
  const revoke = ({ name }: ApiKey) =>
    actAfter(
      {
        title: `Revoke “${name}”?`,
        text: [
          'Programs that use it lose access immediately and permanently.',
          children.length > 0 &&
            `The keys created with it are also revoked: ${children
              .slice(0, 10)
              .map((one) => one.name)
              .join(', ')}${children.length > 10 ? ` and ${children.length - 10} more` : ''}.`,
          isOwn && 'This session uses it: you have to sign in with another key.',
        ]
          .filter(Boolean)
          .join(' '),
        yes: 'Revoke',
      },
      async () => {
        await had(api.DELETE('/stores/{storeId}/api-keys/{id}', { params: { path: at({ id }) } }));
        await navigate('keys', { replace: true });
      },
      'API key revoked.',
    );
  return (
    <Page
      title={key?.name ?? 'API key'}
      back={{ to: 'keys', label: 'API keys' }}
      beside={key && <KeyState of={key} />}
      actions={
        key &&
        can('apiKey.delete') && (
          <Button kind="danger" icon="trash" onClick={() => void revoke(key)}>
            Revoke
          </Button>
        )
      }
    >
      <Shown of={loaded} what="the key" rows={6}>
        {({ item, keys }) => (
          <div class="columns">
            <Section title="Permissions">
              <Grid scopes={item.scopes} />
            </Section>
            <div class="aside">
              <Section title="The key">
                <Facts
                  of={[
                    ['Begins with', <code key="p">{item.prefix}…</code>],
                    ['Kind', item.kind === 'storefront' ? 'Storefront' : 'Secret'],
                    ['Last used', <Time key="l" at={item.lastUsedAt} />] as Fact,
                    ['Ends', item.expiresAt ? <Time key="e" at={item.expiresAt} /> : 'Never'] as Fact,
                    ['Created', <Time key="c" at={item.createdAt} />] as Fact,
                    ['Created by', <Maker key="m" id={item.createdBy} name={keys.get(item.createdBy ?? '')?.name} />],
                  ]}
                />
              </Section>
              {children.length > 0 && (
                <Section title="Also revoked with it">
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
                  <a href={href(`audit?actorId=${item.id}`)}>Changes made with it</a>
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
  if (id === null) return <>No key</>;
  return (
    <a href={href(`keys/${id}`)}>
      <UserText>{name ?? 'Another key'}</UserText>
    </a>
  );
}

/** A table of scopes. */
function Grid({ scopes }: { scopes: readonly string[] }) {
  return (
    <table class="scopes">
      <thead>
        <tr>
          <th scope="col">About</th>
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
