import { who } from '../../api/session.ts';
import { Fields, type Form, Section, UserText, type ValuesOf } from '../../kit/index.ts';
import { searchFields } from './search-fields.ts';

type SearchValues = ValuesOf<typeof searchFields> & { slug: string };

/** Characters that a search engine shows. */
const shown = { title: 60, description: 160 };

/** Fields for search engines, with a preview. */
export function SearchSection<T extends SearchValues>({
  form,
  title,
  description,
}: {
  form: Form<T>;
  /** Shown without a title for search engines. */
  title: string;
  description: string;
}) {
  const fields = form as unknown as Form<SearchValues>;
  const { slug, seoTitle, seoDescription } = fields.values.value;
  return (
    <Section title="Search engines">
      <div class="search-preview" role="img" aria-label="Search engine preview">
        <p class="quiet">
          <UserText>{who.value?.store.name}</UserText> › <UserText>{slug || '…'}</UserText>
        </p>
        <p class="search-title">
          <UserText>{cut(seoTitle || title || 'Without a title', shown.title)}</UserText>
        </p>
        <p>
          <UserText>{cut(seoDescription || plain(description) || 'Without a description', shown.description)}</UserText>
        </p>
      </div>
      <Fields
        form={fields}
        of={searchFields}
        but={{
          seoTitle: { hint: `${count(seoTitle, shown.title)} If empty, the title above is used.` },
          seoDescription: { hint: count(seoDescription, shown.description) },
        }}
      />
    </Section>
  );
}

function count(text: string, most: number): string {
  return `${[...text].length} of about ${most} characters that are shown.`;
}

function cut(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most
    ? text
    : `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}

/** A description without its markup, for the preview. */
function plain(text: string): string {
  return text
    .slice(0, 1000)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
