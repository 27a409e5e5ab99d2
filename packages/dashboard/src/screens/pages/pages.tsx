import type { paths } from '@commerce/server/api';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { type Column, LinkButton, List, Page, Time, UserText } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { PublishingState } from '../goods/publishing.tsx';
import { statusOptions } from '../goods/status.ts';

type Query = NonNullable<paths['/stores/{storeId}/pages']['get']['parameters']['query']>;
export type Text = Schemas['Page'];

const words = t.pages;

const columns: readonly Column<Text>[] = [
  { label: words.columns.title, cell: ({ title }) => <UserText>{title}</UserText>, card: 'title' },
  { label: words.columns.slug, cell: ({ slug }) => <code>{slug}</code>, card: 'meta' },
  { label: words.columns.status, cell: ({ status }) => <PublishingState status={status} />, card: 'state' },
  { label: words.columns.updated, cell: ({ updatedAt }) => <Time at={updatedAt} age />, end: true, card: 'amount' },
];

/** Texts of the shop, such as its imprint. */
export default function Pages() {
  return (
    <Page
      title={words.title}
      actions={
        can('page.write') && (
          <LinkButton to="pages/new" icon="plus" kind="primary">
            {words.create}
          </LinkButton>
        )
      }
    >
      <List<Text>
        what={words.many}
        search={words.search}
        filters={[{ name: 'status', label: words.status, options: statusOptions }]}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ title }) => words.named(title)}
        to={({ id }) => `pages/${id}`}
        load={(values, window, signal) =>
          had(
            api.GET('/stores/{storeId}/pages', {
              params: { path: at(), query: { ...(values as Query), ...window } },
              signal,
            }),
          )
        }
        empty={{
          title: words.empty.title,
          icon: 'pages',
          children: <p>{words.empty.text}</p>,
        }}
      />
    </Page>
  );
}
