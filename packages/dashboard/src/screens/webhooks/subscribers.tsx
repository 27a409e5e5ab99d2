import { api, at, had } from '../../api/client.ts';
import type { Schemas } from '../../api/types.ts';
import { type Column, List } from '../../kit/index.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { summaryOf } from './events.ts';

const words = t.webhooks.application;

type Subscriber = Schemas['Subscriber'];

const columns: readonly Column<Subscriber>[] = [
  { label: words.name, cell: ({ name }) => <bdi>{name}</bdi>, card: 'title' },
  { label: t.webhooks.events, cell: ({ events }) => summaryOf(events), card: 'meta' },
  { label: words.waiting, cell: ({ waiting }) => formatNumber(waiting), end: true },
  { label: words.failed, cell: ({ failed }) => formatNumber(failed), end: true },
];

/** The subscribers of the application that embeds the store. They are managed in its code, so they are only shown. */
export function Subscribers() {
  return (
    <List<Subscriber>
      what={words.many}
      also={['tab']}
      columns={columns}
      idOf={({ name }) => name}
      nameOf={({ name }) => words.named(name)}
      to={({ name }) => `subscribers/${name}`}
      load={(_, window, signal) =>
        had(api.GET('/stores/{storeId}/subscribers', { params: { path: at(), query: window }, signal }))
      }
      empty={{ title: words.none.title, icon: 'webhooks', children: <p>{words.none.text}</p> }}
    />
  );
}
