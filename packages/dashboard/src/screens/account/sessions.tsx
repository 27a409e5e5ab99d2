import { api, at, had } from '../../api/client.ts';
import type { Schemas } from '../../api/types.ts';
import { act, Badge, Button, Section, Shown, Time, useLoad } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { deviceOf } from './device.ts';

const words = t.account.sessions;

/** Where the person is signed in. */
export function Sessions() {
  const loaded = useLoad('sessions', (signal) =>
    had(api.GET('/stores/{storeId}/users/me/sessions', { params: { path: at() }, signal })),
  );
  const end = ({ id }: Schemas['Session']) =>
    act(async () => {
      await had(api.DELETE('/stores/{storeId}/users/me/sessions/{id}', { params: { path: at({ id }) } }));
      loaded.reload();
    }, words.ended);
  const endOthers = () =>
    act(async () => {
      await had(api.DELETE('/stores/{storeId}/users/me/sessions', { params: { path: at() } }));
      loaded.reload();
    }, words.othersEnded);
  return (
    <Section title={words.title}>
      <Shown of={loaded} what={words.the} rows={2}>
        {({ items }) => (
          <>
            <ul class="rows">
              {items.map((session) => (
                <li key={session.id}>
                  <span>
                    {deviceOf(session.agent) ?? words.unknown}{' '}
                    <span class="quiet">
                      {session.address && `${session.address} · `}
                      <Time at={session.lastUsedAt} age />
                    </span>
                  </span>
                  {session.isCurrent ? (
                    <Badge tone="good">{words.current}</Badge>
                  ) : (
                    <Button kind="quiet" onClick={() => void end(session)}>
                      {words.end}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {items.length > 1 && <Button onClick={() => void endOthers()}>{words.endOthers}</Button>}
          </>
        )}
      </Shown>
    </Section>
  );
}
