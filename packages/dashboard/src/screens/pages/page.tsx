import { useRef } from 'preact/hooks';
import { api, at, had, hadItem, type Versioned } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { navigate } from '../../browser/router.ts';
import {
  AreaField,
  actAfter,
  type Fact,
  Facts,
  FormView,
  Menu,
  NoScope,
  Page,
  type Read,
  type ScreenProps,
  Section,
  SelectField,
  Shown,
  TextField,
  Time,
  UserText,
  useForm,
  useLoad,
} from '../../kit/index.ts';
import { slugOf } from '../goods/slug.ts';
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

function toRead(read?: Versioned<Text>): Read<FormValues> {
  const { title = '', slug = '', content, status, seoTitle, seoDescription, seoKeywords } = read?.item ?? {};
  return {
    values: {
      title,
      slug,
      content: content ?? '',
      status: status === undefined || status === 'deleted' ? 'draft' : status,
      seoTitle: seoTitle ?? '',
      seoDescription: seoDescription ?? '',
      seoKeywords: seoKeywords ?? '',
    },
    ...(read ? { etag: read.etag } : {}),
  };
}

/** What is empty is null, but for title and slug. */
function toBody<T extends Partial<FormValues>>(values: T): T {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    value === '' && name !== 'title' && name !== 'slug' ? null : value,
  ]);
  return Object.fromEntries(entries) as T;
}

const readPage = (id: string, signal?: AbortSignal): Promise<Versioned<Text>> =>
  hadItem(api.GET('/stores/{storeId}/pages/{id}', { params: { path: at({ id }) }, signal: signal ?? null }));

/** One page: its text, as it is stored, and what search engines are told. */
export default function PageScreen({ params: { id } }: ScreenProps) {
  const loaded = useLoad(id ?? 'new', async (signal) => (id ? readPage(id, signal) : undefined));
  const item = loaded.data?.item;
  const back = { to: 'pages', label: 'Pages' };
  if (!id) {
    return (
      <Page title="New page" back={back}>
        {can('page.write') ? <PageForm /> : <NoScope scope="page.write" what="how pages are made" />}
      </Page>
    );
  }
  const remove = ({ title }: Text) =>
    actAfter(
      {
        title: 'Delete this page?',
        text: `“${title}” is gone from the shop at once, and links to it lead nowhere. Archive it instead to keep the text.`,
        yes: 'Delete',
      },
      async () => {
        await had(api.DELETE('/stores/{storeId}/pages/{id}', { params: { path: at({ id }) } }));
        await navigate('pages', { replace: true });
      },
      'The page is deleted.',
    );
  return (
    <Page
      title={item?.title ?? 'Page'}
      back={back}
      beside={item && <PageState status={item.status} />}
      actions={
        item &&
        can('page.delete') && (
          <Menu
            label="More to do"
            items={[{ label: 'Delete', icon: 'trash', danger: true, run: () => void remove(item) }]}
          />
        )
      }
    >
      <Shown of={loaded} what="the page" rows={8}>
        {(read) =>
          read &&
          (can('page.write') ? (
            <PageForm key={id} id={id} read={read} onSaved={loaded.set} />
          ) : (
            <PageText page={read.item} />
          ))
        }
      </Shown>
    </Page>
  );
}

function PageForm({
  id,
  read,
  onSaved,
}: {
  id?: string;
  read?: Versioned<Text>;
  onSaved?(saved: Versioned<Text>): void;
}) {
  const made = useRef('');
  const form = useForm<FormValues>({
    key: `pages/${id ?? 'new'}`,
    read: toRead(read),
    saved: 'The page is saved.',
    async save(changes, etag, all) {
      const saved = id
        ? await hadItem(
            api.PUT('/stores/{storeId}/pages/{id}', {
              params: { path: at({ id }), header: { 'If-Match': etag } },
              body: toBody(changes),
            }),
          )
        : await hadItem(
            api.POST('/stores/{storeId}/pages', {
              params: { path: at() },
              body: toBody(all) as Schemas['PageInput'],
            }),
          );
      made.current = saved.item.id;
      onSaved?.(saved);
      return toRead(saved);
    },
    onSaved: () => void (id || navigate(`pages/${made.current}`, { replace: true })),
    ...(id ? { reread: async () => toRead(await readPage(id)) } : {}),
  });
  const { title, slug } = form.values.value;
  return (
    <FormView form={form} labels={labels}>
      <div class="columns">
        <Section title="The page">
          <TextField
            form={{
              ...form,
              set(field, value) {
                // A new page takes its slug from its title until somebody writes another.
                if (!id && slug === slugOf(title)) form.set('slug', slugOf(String(value)));
                form.set(field, value);
              },
            }}
            name="title"
            label="Title"
          />
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
