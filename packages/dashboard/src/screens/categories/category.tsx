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
  UserText,
  useItemForm,
  useLoad,
} from '../../kit/index.ts';
import { loadCategories } from '../goods/all-categories.ts';
import { PublishingState } from '../goods/publishing.tsx';
import { searchFields } from '../goods/search-fields.ts';
import { SearchSection } from '../goods/search-preview.tsx';
import { publishing } from '../goods/status.ts';
import type { Categories, Category } from '../goods/tree.ts';
import { withSlug } from '../goods/with-slug.ts';
import { parentOptions, productsIn, removeCategory } from './actions.ts';

const words = {
  name: line('Name', { isRequired: true }),
  slug: line('Address (slug)', { isRequired: true }),
  description: area('Description', { rows: 5 }),
};
const place = {
  status: publishing('Status', 'published'),
  // Its options are the existing categories.
  parentId: choice<string>('Below', [], { start: '', sent: (id) => id || null }),
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
      what="the category"
      title={id === undefined ? 'New category' : (category?.name ?? 'Category')}
      back={{ to: 'categories', label: 'Categories' }}
      beside={category && <PublishingState status={category.status} />}
      actions={
        category &&
        can('category.delete') && (
          <Button kind="danger" icon="trash" onClick={() => void remove()}>
            Delete
          </Button>
        )
      }
      scope="category.write"
      why="the category form"
      form={(known) =>
        known && <CategoryForm id={id} known={known} onSaved={(read) => loaded.set({ ...known, read })} />
      }
      facts={({ read }) =>
        read && (
          <Section title="Category">
            <UserText block>{read.item.description ?? 'No description'}</UserText>
            <Facts of={[['Address', read.item.slug]]} />
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
  const fields = { ...words, ...place, ...searchFields };
  const form = useItemForm({
    of: 'categories',
    fields,
    read,
    initial: { ...readValues(fields), parentId: parent },
    saved: isNew ? 'Category created.' : 'Category saved.',
    onSaved: (now) => (isNew ? void navigate('categories') : onSaved(now)),
  });
  const options = parentOptions(all, id);
  const { name, description } = form.values.value;
  return (
    <FormView form={form} saveLabel={isNew ? 'Create category' : 'Save'}>
      <div class="columns">
        <Section title="Category">
          <Fields form={withSlug(form, 'name', isNew)} of={words} />
        </Section>
        <div class="aside">
          <Section title="Position and status">
            <Fields
              form={form}
              of={place}
              but={{
                parentId: {
                  options,
                  hint:
                    options.length === 1 && !isNew ? 'It has subcategories, and there are only two levels.' : undefined,
                },
              }}
            />
            {products !== undefined && (
              <p>
                <a href={href(`products?categoryId=${id}`)}>
                  {products === 1 ? 'One product' : `${products.toLocaleString()} products`}
                </a>{' '}
                in it
              </p>
            )}
          </Section>
        </div>
        <div>
          <SearchSection form={form} title={name} description={description} />
        </div>
      </div>
    </FormView>
  );
}
