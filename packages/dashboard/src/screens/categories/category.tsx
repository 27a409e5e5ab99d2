import type { Versioned } from '../../api/client.ts';
import { itemsOf } from '../../api/items.ts';
import { can } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import { navigate, query } from '../../browser/router.ts';
import {
  area,
  Button,
  choice,
  Facts,
  Fields,
  FormView,
  ItemPage,
  line,
  readValues,
  type ScreenProps,
  Section,
  useItemForm,
  useLoad,
} from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { loadCategories } from '../goods/all-categories.ts';
import { PublishingState } from '../goods/publishing.tsx';
import { searchFields } from '../goods/search-fields.ts';
import { SearchSection } from '../goods/search-preview.tsx';
import { publishing } from '../goods/status.ts';
import type { Categories, Category } from '../goods/tree.ts';
import { useSlug } from '../goods/use-slug.ts';
import { metadataFields } from '../labels/fields.ts';
import { MetadataFacts, MetadataField } from '../labels/metadata.tsx';
import { MarkupField } from '../markup/markup-field.tsx';
import { markupOf } from '../markup/nodes.ts';
import { Preview } from '../markup/preview.tsx';
import { hasSubcategories, parentOptions, productsIn, removeCategory } from './actions.ts';

const words = t.categories;

const described = {
  name: line(words.name, { isRequired: true }),
  slug: line(words.slug, { isRequired: true }),
  description: area(words.description, { rows: 5 }),
};
const place = {
  status: publishing(words.status, 'published'),
  // Its options are the existing categories.
  parentId: choice<string>(words.parent, [], { start: '', sent: (id) => id || null }),
};

/** One category; `new` for one that does not exist yet. */
export default function CategoryScreen({ params: { id } }: ScreenProps) {
  const loaded = useLoad(id ?? 'new', async (signal): Promise<Known | undefined> => {
    const [all, read, products] = await Promise.all([
      loadCategories(signal),
      id === undefined ? undefined : itemsOf('categories').read(id, signal),
      id === undefined ? undefined : productsIn(id, signal),
    ]);
    return { all, read, products };
  });
  const { data } = loaded;
  const category = data?.read?.item;
  const remove = async () => {
    if (category && data && (await removeCategory(category, data.all))) await navigate('categories');
  };
  return (
    <ItemPage
      of={loaded}
      what={words.it}
      title={id === undefined ? words.create : (category?.name ?? words.one)}
      back={{ to: 'categories', label: words.title }}
      beside={category && <PublishingState status={category.status} />}
      actions={
        category &&
        can('category.delete') && (
          <Button kind="danger" icon="trash" onClick={() => void remove()}>
            {words.delete}
          </Button>
        )
      }
      scope="category.write"
      why={words.form}
      form={(known) =>
        known && <CategoryForm id={id} known={known} onSaved={(read) => loaded.set({ ...known, read })} />
      }
      facts={({ read }) =>
        read && (
          <Section title={words.details}>
            {read.item.description ? (
              <Preview
                text={read.item.description}
                markup={markupOf(read.item.description)}
                label={described.description.label}
              />
            ) : (
              <p class="quiet">{words.noDescription}</p>
            )}
            <Facts of={[[words.slug, read.item.slug]]} />
            <MetadataFacts metadata={read.item.metadata} />
          </Section>
        )
      }
    />
  );
}

/** A category with all others, and the number of its products. */
interface Known {
  all: Categories;
  read: Versioned<Category> | undefined;
  products: number | undefined;
}

function CategoryForm({
  id,
  known: { all, read, products },
  onSaved,
}: {
  id: string | undefined;
  known: Known;
  onSaved(saved: Versioned<Category>): void;
}) {
  const isNew = id === undefined;
  const parent = query.value.get('parent') ?? '';
  const fields = { ...described, ...place, ...searchFields, ...metadataFields };
  const form = useItemForm({
    of: 'categories',
    fields,
    read,
    initial: { ...readValues(fields), parentId: parent },
    saved: isNew ? words.created : words.saved,
    onSaved: (now) => (isNew ? void navigate('categories') : onSaved(now)),
  });
  const named = useSlug(form, 'category', ['name'], isNew);
  const options = parentOptions(all, id);
  const { name, description } = form.values.value;
  return (
    <FormView form={form} saveLabel={isNew ? words.createButton : words.save}>
      <div class="columns">
        <Section title={words.details}>
          <Fields form={named} of={{ name: described.name, slug: described.slug }} />
          <MarkupField
            form={form}
            name="description"
            label={described.description.label}
            rows={6}
            markup={markupOf(description)}
          />
        </Section>
        <div class="aside">
          <Section title={words.placement}>
            <Fields
              form={form}
              of={place}
              but={{
                parentId: {
                  options,
                  hint: hasSubcategories(all, id) ? words.hasSubcategories : undefined,
                },
              }}
            />
            {products !== undefined && (
              <p>
                <a href={href(`products?categoryId=${id}`)}>{words.products(products)}</a>
              </p>
            )}
          </Section>
        </div>
        <div>
          <SearchSection form={form} title={name} description={description} />
          <div class="card">
            <MetadataField form={form} />
          </div>
        </div>
      </div>
    </FormView>
  );
}
