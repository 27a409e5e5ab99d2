import { useRef } from 'preact/hooks';
import { api, at, hadItem, type Versioned } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import { navigate, query } from '../../browser/router.ts';
import {
  AreaField,
  Button,
  Facts,
  type Form,
  FormView,
  Page,
  type Read,
  type ScreenProps,
  Section,
  SelectField,
  Shown,
  TextField,
  UserText,
  useForm,
  useLoad,
} from '../../kit/index.ts';
import { loadCategories } from '../goods/all-categories.ts';
import { PublishingState, statusOptions } from '../goods/publishing.tsx';
import { SearchSection } from '../goods/search-preview.tsx';
import { slugOf } from '../goods/slug.ts';
import type { Categories, Category } from '../goods/tree.ts';
import { parentOptions, productsIn, readCategory, removeCategory } from './actions.ts';

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

function toRead({ item, etag }: Versioned<Category>): Read<Values> {
  const { name, slug, status } = item;
  return {
    etag,
    values: {
      name,
      slug,
      status: status === 'deleted' ? 'archived' : status,
      parentId: item.parentId ?? '',
      description: item.description ?? '',
      seoTitle: item.seoTitle ?? '',
      seoDescription: item.seoDescription ?? '',
      seoKeywords: item.seoKeywords ?? '',
    },
  };
}

/** The values as the interface takes them: of all but name, address and status, an empty text means that there is none. */
function bodyOf({ name, slug, status, ...rest }: Partial<Values>) {
  const optional = Object.fromEntries(Object.entries(rest).map(([field, value]) => [field, value || null]));
  return {
    ...optional,
    ...(name === undefined ? {} : { name }),
    ...(slug === undefined ? {} : { slug }),
    ...(status ? { status } : {}),
  };
}

/** One category; `new` is one that is not there yet. */
export default function CategoryScreen({ params }: ScreenProps) {
  const id = params.id;
  const loaded = useLoad(id ?? 'new', async (signal) => {
    const [all, read, products] = await Promise.all([
      loadCategories(signal),
      id === undefined ? undefined : readCategory(id, signal),
      id === undefined ? undefined : productsIn(id, signal),
    ]);
    return { all, read, products };
  });
  const category = loaded.data?.read?.item;
  const remove = async () => {
    if (category && loaded.data && (await removeCategory(category, loaded.data.all))) await navigate('categories');
  };
  return (
    <Page
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
    >
      <Shown of={loaded} what="the category" rows={6}>
        {({ all, read, products }) =>
          read && !can('category.write') ? (
            <Section title="Category">
              <UserText block>{read.item.description ?? 'No description'}</UserText>
              <Facts of={[['Address', read.item.slug]]} />
            </Section>
          ) : (
            <CategoryForm
              id={id}
              all={all}
              products={products}
              read={
                read
                  ? toRead(read)
                  : {
                      values: {
                        name: '',
                        slug: '',
                        status: 'published',
                        parentId: query.value.get('parent') ?? '',
                        description: '',
                        seoTitle: '',
                        seoDescription: '',
                        seoKeywords: '',
                      },
                    }
              }
              onSaved={(saved) => loaded.data && loaded.set({ ...loaded.data, read: saved })}
            />
          )
        }
      </Shown>
    </Page>
  );
}

function CategoryForm({
  id,
  all,
  products,
  read,
  onSaved,
}: {
  id: string | undefined;
  all: Categories;
  products: number | undefined;
  read: Read<Values>;
  onSaved(saved: Versioned<Category>): void;
}) {
  const isNew = id === undefined;
  const isSlugOwn = useRef(!isNew);
  const form = useForm<Values>({
    key: `categories/${id ?? 'new'}`,
    read,
    saved: isNew ? 'The category is made.' : 'The category is saved.',
    async save(changes, etag, values) {
      const { name, slug } = values;
      const saved = await hadItem(
        id === undefined
          ? api.POST('/stores/{storeId}/categories', {
              params: { path: at() },
              body: { ...bodyOf(values), name, slug },
            })
          : api.PUT('/stores/{storeId}/categories/{id}', {
              params: { path: at({ id }), header: { 'If-Match': etag ?? '' } },
              body: bodyOf(changes),
            }),
      );
      // After the form has taken it, so that nothing counts as unsaved any more.
      setTimeout(() => {
        if (isNew) void navigate('categories');
        else onSaved(saved);
      });
      return toRead(saved);
    },
    ...(id === undefined ? {} : { reread: async () => toRead(await readCategory(id)) }),
  });
  const named: Form<Values> = {
    ...form,
    set(field, value) {
      form.set(field, value);
      if (field === 'name' && !isSlugOwn.current) form.set('slug', slugOf(String(value)));
      if (field === 'slug') isSlugOwn.current = value !== '';
    },
  };
  const options = parentOptions(all, id);
  const { name, description } = form.values.value;
  return (
    <FormView form={form} labels={labels} saveLabel={isNew ? 'Make the category' : 'Save'}>
      <div class="columns">
        <Section title="Category">
          <TextField form={named} name="name" label="Name" />
          <TextField form={named} name="slug" label="Address (slug)" />
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
