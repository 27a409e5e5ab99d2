import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import {
  Copy,
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
import { actionWords } from '../../kit/terms/action.ts';
import { t } from '../../words/words.ts';
import { readKeys } from '../keys/names.ts';
import { actorOf, changesOf, type Entry, thingOf } from './words.ts';

const words = t.audit;

/** One entry of the audit log: actor and changes, field by field. */
export default function EntryScreen({ params: { id = '' } }: ScreenProps) {
  const loaded = useLoad(id, async (signal) => {
    const [{ item }, keys] = await Promise.all([
      had(api.GET('/stores/{storeId}/audit-logs/{id}', { params: { path: at({ id }) }, signal })),
      readKeys(signal),
    ]);
    return { item, keys };
  });
  const action = loaded.data?.item.action;
  return (
    <Page
      title={action === undefined ? words.one : actionWords(action)}
      back={{ to: 'audit', label: words.title }}
      beside={<code class="quiet">{action}</code>}
    >
      <Shown of={loaded} what={words.the} rows={5}>
        {({ item, keys }) => (
          <div class="columns">
            <Section title={words.entry.changes}>
              <Changes entry={item} />
            </Section>
            <div class="aside">
              <About entry={item} actor={actorOf(item, (key) => keys.get(key)?.name)} />
            </div>
          </div>
        )}
      </Shown>
    </Page>
  );
}

function About({ entry, actor }: { entry: Entry; actor: string }) {
  const { createdAt, actorType, actorId, resourceId, requestId } = entry;
  const { label, path } = thingOf(entry);
  const isKey = actorType === 'apiKey' && actorId !== null && can('apiKey.read');
  return (
    <Section title={words.entry.about}>
      <Facts
        of={[
          [words.columns.when, <Time key="t" at={createdAt} />],
          [
            words.columns.who,
            isKey ? (
              <a key="w" href={href(`keys/${actorId}`)}>
                <UserText>{actor}</UserText>
              </a>
            ) : (
              <UserText key="w">{actor}</UserText>
            ),
          ],
          [
            words.columns.resource,
            path ? (
              <a key="p" href={href(path)}>
                {label}
              </a>
            ) : (
              label
            ),
          ],
          ...(requestId ? [[words.entry.request, <code key="r">{requestId}</code>] as Fact] : []),
        ]}
      />
      <p class="event-id">
        <code>{resourceId}</code>
        <Copy text={resourceId} what={words.entry.id} />
      </p>
      <p>
        <a href={href(`audit?resourceId=${encodeURIComponent(resourceId)}`)}>{words.entry.all}</a>
      </p>
    </Section>
  );
}

function Changes({ entry }: { entry: Entry }) {
  const changes = changesOf(entry);
  if (changes.length === 0) {
    return (
      <p class="quiet">
        {entry.resourceType === 'customer' && !can('customer.read') ? words.entry.noAccess : words.entry.none}
      </p>
    );
  }
  return (
    <dl class="changes">
      {changes.map(({ field, from, to }) => (
        <div key={field}>
          <dt>
            <code>{field}</code>
          </dt>
          <dd>
            {from !== undefined && (
              <>
                <del dir="auto">
                  <span class="unseen">{words.entry.from}</span>
                  {from}
                </del>
                <span aria-hidden="true"> → </span>
              </>
            )}
            <ins dir="auto">
              {from !== undefined && <span class="unseen">{words.entry.to}</span>}
              {to}
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
