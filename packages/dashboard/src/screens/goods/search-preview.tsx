import { who } from '../../api/session.ts';
import { Fields, type Form, Section, UserText, type ValuesOf } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { searchFields } from './search-fields.ts';

const words = t.products.seo;

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
    <Section title={words.section}>
      <div class="search-preview" role="img" aria-label={words.preview}>
        <p class="quiet">
          <UserText>{who.value?.store.name}</UserText> › <UserText>{slug || '…'}</UserText>
        </p>
        <p class="search-title">
          <UserText>{cut(seoTitle || title || words.noTitle, shown.title)}</UserText>
        </p>
        <p>
          <UserText>{cut(seoDescription || plain(description) || words.noDescription, shown.description)}</UserText>
        </p>
      </div>
      <Fields
        form={fields}
        of={searchFields}
        but={{
          seoTitle: { hint: words.titleHint([...seoTitle].length, shown.title) },
          seoDescription: { hint: words.descriptionHint([...seoDescription].length, shown.description) },
        }}
      />
    </Section>
  );
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
