import type { Versioned } from '../../api/client.ts';
import { itemsOf } from '../../api/items.ts';
import { can } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import { navigate, query } from '../../browser/router.ts';
import {
  AreaField,
  Button,
  Facts,
  FormView,
  ItemPage,
  type ScreenProps,
  Section,
  SelectField,
  TextField,
  UserText,
  useItemForm,
  useLoad,
  withNulls,
} from '../../kit/index.ts';
import { loadCategories } from '../goods/all-categories.ts';
import { PublishingState, statusOptions } from '../goods/publishing.tsx';
import { SearchSection } from '../goods/search-preview.tsx';
import type { Categories, Category } from '../goods/tree.ts';
import { withSlug } from '../goods/with-slug.ts';
import { parentOptions, productsIn, removeCategory } from './actions.ts';

type Values = {
  name: string;
  slug: string;
  status: 'draft' | 'published' | 'archived';
  parentId: string;
  description: string;
  seoTitle: string;
  seoDescription: string;
  seoKeywords: string;
};

const labels = {
  name: 'Name',
  slug: 'Address',
  status: 'Status',
  parentId: 'Below',
  description: 'Description',
  seoTitle: 'Title for search engines',
  seoDescription: 'Description for search engines',
  seoKeywords: 'Keywords',
};

function toValues(item?: Category): Values {
  const status = item?.status ?? 'published';
  return {
    name: item?.name ?? '',
    slug: item?.slug ?? '',
    status: status === 'deleted' ? 'archived' : status,
    parentId: (item ? item.parentId : query.value.get('parent')) ?? '',
    description: item?.description ?? '',
    seoTitle: item?.seoTitle ?? '',
    seoDescription: item?.seoDescription ?? '',
    seoKeywords: item?.seoKeywords ?? '',
  };
}

/** One category; `new` is one that is not there yet. */
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
      why="how categories are made"
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

/** A category with all others, and how many products are in it. */
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
  const form = useItemForm<'categories', Values>({
    of: 'categories',
    id,
    read,
    saved: isNew ? 'The category is made.' : 'The category is saved.',
    toValues,
    toBody: (values) => withNulls(values, ['name', 'slug']),
    onSaved: (now) => (isNew ? void navigate('categories') : onSaved(now)),
  });
  const named = withSlug(form, 'name', isNew);
  const options = parentOptions(all, id);
  const { name, description } = form.values.value;
  return (
    <FormView form={form} labels={labels} saveLabel={isNew ? 'Make the category' : 'Save'}>
      <div class="columns">
        <Section title="Category">
          <TextField form={named} name="name" label="Name" />
          <TextField form={form} name="slug" label="Address (slug)" />
          <AreaField form={form} name="description" label="Description" rows={5} />
        </Section>
        <div class="aside">
          <Section title="Place and status">
            <SelectField form={form} name="status" label="Status" options={statusOptions} />
            <SelectField
              form={form}
              name="parentId"
              label="Below"
              options={options}
              hint={options.length === 1 && !isNew ? 'It has others below it, and there are two levels.' : undefined}
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
