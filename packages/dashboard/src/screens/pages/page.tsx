import type { Versioned } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { navigate } from '../../browser/router.ts';
import {
  area,
  DeleteMenu,
  deleteItem,
  type Fact,
  Facts,
  Fields,
  FormView,
  ItemPage,
  line,
  type ScreenProps,
  Section,
  Time,
  UserText,
  useItem,
  useItemForm,
} from '../../kit/index.ts';
import { PublishingState } from '../goods/publishing.tsx';
import { publishing } from '../goods/status.ts';
import { withSlug } from '../goods/with-slug.ts';
import type { Text } from './pages.tsx';

const text = {
  title: line('Title', { isRequired: true }),
  slug: line('Slug', {
    isRequired: true,
    hint: 'The name of the page in addresses; your shop loads the page by this name',
  }),
  content: area('Text', {
    rows: 20,
    hint: 'Stored unchanged: plain text, HTML or Markdown, whichever your shop expects',
  }),
};
const state = { status: publishing('State', 'draft', 'Shops see only published pages') };
const seo = {
  seoTitle: line('Title for search engines', { hint: 'If empty, the page title is used' }),
  seoDescription: area('Description', { rows: 3 }),
  seoKeywords: line('Keywords'),
};

/** One page: its stored text, and its fields for search engines. */
export default function PageScreen({ params: { id } }: ScreenProps) {
  const loaded = useItem('pages', id);
  const item = loaded.data?.item;
  return (
    <ItemPage
      of={id ? loaded : undefined}
      what="the page"
      rows={8}
      title={id ? (item?.title ?? 'Page') : 'New page'}
      back={{ to: 'pages', label: 'Pages' }}
      beside={item && <PublishingState status={item.status} />}
      actions={item && can('page.delete') && <DeleteMenu onDelete={() => remove(item)} />}
      scope="page.write"
      why="the page form"
      form={(read) => <PageForm read={read} onSaved={loaded.set} />}
      facts={(read) => <PageText page={read.item} />}
    />
  );
}

function remove({ id, title }: Text): Promise<boolean> {
  return deleteItem('pages', id, {
    title: 'Delete this page?',
    text: `“${title}” is removed from the shop at once, and links to it stop working. Archive it instead to keep the text.`,
    said: 'Page deleted.',
  });
}

function PageForm({ read, onSaved }: { read: Versioned<Text> | undefined; onSaved(saved: Versioned<Text>): void }) {
  const form = useItemForm({
    of: 'pages',
    fields: { ...text, ...state, ...seo },
    read,
    saved: 'Page saved.',
    onSaved: (now) => (read ? onSaved(now) : void navigate(`pages/${now.item.id}`, { replace: true })),
  });
  return (
    <FormView form={form}>
      <div class="columns">
        <Section title="The page">
          <Fields form={withSlug(form, 'title', !read)} of={text} />
        </Section>
        <div class="aside">
          <Section title="State">
            <Fields form={form} of={state} />
            {read?.item.publishedAt && (
              <p class="quiet">
                Published <Time at={read.item.publishedAt} />
              </p>
            )}
          </Section>
          <Section title="Search engines">
            <Fields form={form} of={seo} />
          </Section>
        </div>
      </div>
    </FormView>
  );
}

function PageText({ page }: { page: Text }) {
  const told: Fact[] = (['seoTitle', 'seoDescription', 'seoKeywords'] as const).flatMap((name) =>
    page[name] ? [[seo[name].label, <UserText key={name}>{page[name]}</UserText>] as Fact] : [],
  );
  return (
    <Section title="Text">
      <Facts of={[['Slug', <code key="slug">{page.slug}</code>], ...told]} />
      <UserText block>{page.content}</UserText>
    </Section>
  );
}
