import type { Versioned } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { navigate } from '../../browser/router.ts';
import {
  AreaField,
  DeleteMenu,
  deleteItem,
  type Fact,
  Facts,
  FormView,
  ItemPage,
  type ScreenProps,
  Section,
  SelectField,
  TextField,
  Time,
  UserText,
  useItem,
  useItemForm,
  withNulls,
} from '../../kit/index.ts';
import { withSlug } from '../goods/with-slug.ts';
import { PageState, statusOptions, type Text } from './pages.tsx';

type FormValues = {
  title: string;
  slug: string;
  content: string | null;
  status: 'draft' | 'published' | 'archived';
  seoTitle: string | null;
  seoDescription: string | null;
  seoKeywords: string | null;
};

const labels = {
  title: 'Title',
  slug: 'Slug',
  content: 'Text',
  status: 'State',
  seoTitle: 'Title for search engines',
  seoDescription: 'Description',
  seoKeywords: 'Keywords',
};

function toValues(item?: Text): FormValues {
  const { title = '', slug = '', content, status, seoTitle, seoDescription, seoKeywords } = item ?? {};
  return {
    title,
    slug,
    content: content ?? '',
    status: status === undefined || status === 'deleted' ? 'draft' : status,
    seoTitle: seoTitle ?? '',
    seoDescription: seoDescription ?? '',
    seoKeywords: seoKeywords ?? '',
  };
}

/** One page: its text, as it is stored, and what search engines are told. */
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
      beside={item && <PageState status={item.status} />}
      actions={item && can('page.delete') && <DeleteMenu onDelete={() => remove(item)} />}
      scope="page.write"
      why="how pages are made"
      form={(read) => <PageForm id={id} read={read} onSaved={loaded.set} />}
      facts={(read) => <PageText page={read.item} />}
    />
  );
}

function remove({ id, title }: Text): Promise<boolean> {
  return deleteItem('pages', id, {
    title: 'Delete this page?',
    text: `“${title}” is gone from the shop at once, and links to it lead nowhere. Archive it instead to keep the text.`,
    said: 'The page is deleted.',
  });
}

function PageForm({
  id,
  read,
  onSaved,
}: {
  id: string | undefined;
  read: Versioned<Text> | undefined;
  onSaved(saved: Versioned<Text>): void;
}) {
  const form = useItemForm<'pages', FormValues>({
    of: 'pages',
    id,
    read,
    saved: 'The page is saved.',
    toValues,
    toBody: (values) => withNulls(values, ['title', 'slug']),
    onSaved: (now) => (id ? onSaved(now) : void navigate(`pages/${now.item.id}`, { replace: true })),
  });
  return (
    <FormView form={form} labels={labels}>
      <div class="columns">
        <Section title="The page">
          <TextField form={withSlug(form, 'title', !id)} name="title" label="Title" />
          <TextField
            form={form}
            name="slug"
            label="Slug"
            hint="Names the page in addresses; your shop asks for it by this name"
          />
          <AreaField
            form={form}
            name="content"
            label="Text"
            rows={20}
            hint="Kept as it is written: plain text, HTML or Markdown, as your shop expects it"
          />
        </Section>
        <div class="aside">
          <Section title="State">
            <SelectField
              form={form}
              name="status"
              label="State"
              options={statusOptions}
              hint="Shops see published pages alone"
            />
            {read?.item.publishedAt && (
              <p class="quiet">
                Published <Time at={read.item.publishedAt} />
              </p>
            )}
          </Section>
          <Section title="Search engines">
            <TextField form={form} name="seoTitle" label="Title for search engines" hint="The page's own where empty" />
            <AreaField form={form} name="seoDescription" label="Description" rows={3} />
            <TextField form={form} name="seoKeywords" label="Keywords" />
          </Section>
        </div>
      </div>
    </FormView>
  );
}

function PageText({ page }: { page: Text }) {
  const seo: Fact[] = (['seoTitle', 'seoDescription', 'seoKeywords'] as const).flatMap((name) =>
    page[name] ? [[labels[name], <UserText key={name}>{page[name]}</UserText>] as Fact] : [],
  );
  return (
    <Section title="Text">
      <Facts of={[['Slug', <code key="slug">{page.slug}</code>], ...seo]} />
      <UserText block>{page.content}</UserText>
    </Section>
  );
}
