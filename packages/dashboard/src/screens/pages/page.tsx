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
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { PublishingState } from '../goods/publishing.tsx';
import { searchFields } from '../goods/search-fields.ts';
import { publishing } from '../goods/status.ts';
import { useSlug } from '../goods/use-slug.ts';
import { MarkupField } from '../markup/markup-field.tsx';
import { markupOf } from '../markup/nodes.ts';
import { Preview } from '../markup/preview.tsx';
import type { Text } from './pages.tsx';

const words = t.pages;

const text = {
  title: line(words.pageTitle, { isRequired: true }),
  slug: line(words.slug, { isRequired: true, hint: words.slugHint }),
  content: area(words.content, { rows: 20, hint: words.contentHint }),
};
const state = { status: publishing(words.status, 'draft', words.statusHint) };

/** One page: its stored text, and its fields for search engines. */
export default function PageScreen({ params: { id } }: ScreenProps) {
  const loaded = useItem('pages', id);
  const item = loaded.data?.item;
  return (
    <ItemPage
      of={id ? loaded : undefined}
      what={words.it}
      rows={8}
      title={id ? (item?.title ?? words.one) : words.create}
      back={{ to: 'pages', label: words.title }}
      beside={item && <PublishingState status={item.status} />}
      actions={item && can('page.delete') && <DeleteMenu onDelete={() => remove(item)} />}
      scope="page.write"
      why={words.form}
      form={(read) => <PageForm read={read} onSaved={loaded.set} />}
      facts={(read) => <PageText page={read.item} />}
    />
  );
}

function remove({ id, title }: Text): Promise<boolean> {
  return deleteItem('pages', id, {
    title: words.sure,
    text: words.sureText(title),
    said: words.deleted,
  });
}

function PageForm({ read, onSaved }: { read: Versioned<Text> | undefined; onSaved(saved: Versioned<Text>): void }) {
  const form = useItemForm({
    of: 'pages',
    fields: { ...text, ...state, ...searchFields },
    read,
    saved: words.saved,
    onSaved: (now) => (read ? onSaved(now) : void navigate(`pages/${now.item.id}`, { replace: true })),
  });
  const titled = useSlug(form, 'page', ['title'], !read);
  return (
    <FormView form={form}>
      <div class="columns">
        <Section title={words.details}>
          <Fields form={titled} of={{ title: text.title, slug: text.slug }} />
          <MarkupField
            form={form}
            name="content"
            label={text.content.label}
            hint={text.content.hint}
            rows={20}
            markup={markupOf(form.values.value.content)}
          />
        </Section>
        <div class="aside">
          <Section title={words.status}>
            <Fields form={form} of={state} />
            {read?.item.publishedAt && (
              <p class="quiet">{filled(words.published, { time: <Time key="time" at={read.item.publishedAt} /> })}</p>
            )}
          </Section>
          <Section title={t.products.seo.section}>
            <Fields form={form} of={searchFields} but={{ seoTitle: { hint: words.titleHint } }} />
          </Section>
        </div>
      </div>
    </FormView>
  );
}

function PageText({ page }: { page: Text }) {
  const told: Fact[] = (['seoTitle', 'seoDescription', 'seoKeywords'] as const).flatMap((name) =>
    page[name] ? [[searchFields[name].label, <UserText key={name}>{page[name]}</UserText>] as Fact] : [],
  );
  return (
    <Section title={words.details}>
      <Facts of={[[words.slug, <code key="slug">{page.slug}</code>], ...told]} />
      <Preview text={page.content ?? ''} markup={markupOf(page.content ?? '')} label={text.content.label} />
    </Section>
  );
}
