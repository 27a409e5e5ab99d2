import type { paths } from '@commerce/server/api';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { type Column, LinkButton, List, Page, Time, UserText } from '../../kit/index.ts';
import { PublishingState } from '../goods/publishing.tsx';
import { statusOptions } from '../goods/status.ts';

type Query = NonNullable<paths['/stores/{storeId}/pages']['get']['parameters']['query']>;
export type Text = Schemas['Page'];

const columns: readonly Column<Text>[] = [
  { label: 'Title', cell: ({ title }) => <UserText>{title}</UserText>, card: 'title' },
  { label: 'Slug', cell: ({ slug }) => <code>{slug}</code>, card: 'meta' },
  { label: 'State', cell: ({ status }) => <PublishingState status={status} />, card: 'state' },
  { label: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} age />, end: true, card: 'amount' },
];

/** Texts of the shop, such as its imprint. */
export default function Pages() {
  return (
    <Page
      title="Pages"
      actions={
        can('page.write') && (
          <LinkButton to="pages/new" icon="plus" kind="primary">
            New page
          </LinkButton>
        )
      }
    >
      <List<Text>
        what="pages"
        search="Title or text"
        filters={[{ name: 'status', label: 'State', options: statusOptions }]}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ title }) => `page ${title}`}
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
          title: 'No pages yet',
          icon: 'pages',
          children: <p>Texts that your shop shows, such as an imprint, terms or delivery information.</p>,
        }}
      />
    </Page>
  );
}
