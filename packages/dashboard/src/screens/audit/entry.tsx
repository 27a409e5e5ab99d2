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
import { readKeys } from '../keys/names.ts';
import { actorOf, changesOf, type Entry, things } from './words.ts';

/** One entry of the audit log: actor and changes, field by field. */
export default function EntryScreen({ params: { id = '' } }: ScreenProps) {
  const loaded = useLoad(id, async (signal) => {
    const [{ item }, keys] = await Promise.all([
      had(api.GET('/stores/{storeId}/audit-logs/{id}', { params: { path: at({ id }) }, signal })),
      readKeys(signal),
    ]);
    return { item, keys };
  });
  return (
    <Page title={loaded.data?.item.action ?? 'Entry'} back={{ to: 'audit', label: 'Audit log' }}>
      <Shown of={loaded} what="the entry" rows={5}>
        {({ item, keys }) => (
          <div class="columns">
            <Section title="What changed">
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
  const { createdAt, actorType, actorId, resourceType, resourceId, requestId } = entry;
  const [label, path] = things[resourceType] ?? [resourceType];
  const isKey = actorType === 'apiKey' && actorId !== null && can('apiKey.read');
  return (
    <Section title="Who, what, when">
      <Facts
        of={[
          ['When', <Time key="t" at={createdAt} />],
          [
            'Who',
            isKey ? (
              <a key="w" href={href(`keys/${actorId}`)}>
                <UserText>{actor}</UserText>
              </a>
            ) : (
              <UserText key="w">{actor}</UserText>
            ),
          ],
          [
            'Thing',
            path ? (
              <a key="p" href={href(path(resourceId))}>
                {label}
              </a>
            ) : (
              label
            ),
          ],
          ...(requestId ? [['Request', <code key="r">{requestId}</code>] as Fact] : []),
        ]}
      />
      <p class="event-id">
        <code>{resourceId}</code>
        <Copy text={resourceId} what="the id" />
      </p>
      <p>
        <a href={href(`audit?resourceId=${encodeURIComponent(resourceId)}`)}>All changes to it</a>
      </p>
    </Section>
  );
}

function Changes({ entry }: { entry: Entry }) {
  const changes = changesOf(entry);
  if (changes.length === 0) {
    return (
      <p class="quiet">
        {entry.resourceType === 'customer' && !can('customer.read')
          ? 'To see changes to customers, your key needs the scope customer.read.'
          : 'No fields were recorded.'}
      </p>
    );
  }
  return (
    <dl class="changes">
      {changes.map(({ field, from, to }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            {from !== undefined && (
              <>
                <del dir="auto">
                  <span class="unseen">From </span>
                  {from}
                </del>
                <span aria-hidden="true"> → </span>
              </>
            )}
            <ins dir="auto">
              {from !== undefined && <span class="unseen">to </span>}
              {to}
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
