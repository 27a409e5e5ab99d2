import { useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { itemsOf } from '../../api/items.ts';
import { can } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import { navigate, query } from '../../browser/router.ts';
import {
  Dialog,
  Empty,
  FormView,
  LinkButton,
  Menu,
  type MenuItem,
  Page,
  SelectField,
  Shown,
  UserText,
  useForm,
  useLoad,
} from '../../kit/index.ts';
import { ListFilters } from '../../kit/list/filters.tsx';
import { t } from '../../words/words.ts';
import { loadCategories, maxCategories } from '../goods/all-categories.ts';
import { PublishingState } from '../goods/publishing.tsx';
import { statusOptions } from '../goods/status.ts';
import { type Categories, type Category, matching } from '../goods/tree.ts';
import { hasSubcategories, parentOptions, removeCategory } from './actions.ts';

const words = t.categories;

const filters = [{ name: 'status', label: words.status, options: statusOptions }];

/** The categories as a tree of two levels. */
export default function CategoriesScreen() {
  const loaded = useLoad('categories', loadCategories);
  const counts = useLoad('categories/products', countProducts);
  const [moving, setMoving] = useState<Category>();
  const reload = () => {
    loaded.reload();
    counts.reload();
  };
  const search = query.value.get('search') ?? '';
  const status = query.value.get('status') ?? '';
  return (
    <Page
      title={words.title}
      actions={
        can('category.write') && (
          <LinkButton to="categories/new" icon="plus" kind="primary">
            {words.create}
          </LinkButton>
        )
      }
    >
      <ListFilters
        search={words.search}
        filters={filters}
        values={{ ...(search ? { search } : {}), ...(status ? { status } : {}) }}
      />
      <Shown of={loaded} what={words.these} rows={6}>
        {(all) => (
          <Tree
            all={all}
            counts={counts.data ?? noCounts}
            search={search}
            status={status}
            reload={reload}
            onMove={setMoving}
          />
        )}
      </Shown>
      {moving && loaded.data && (
        <MoveDialog
          category={moving}
          all={loaded.data}
          onClose={() => setMoving(undefined)}
          onDone={() => {
            setMoving(undefined);
            reload();
          }}
        />
      )}
    </Page>
  );
}

type Counts = (id: string) => number | undefined;

const noCounts: Counts = () => undefined;

/** Most values of a facet. */
const maxCounted = 100;

/** The number of products of each category, with its subcategories; unknown ones in a large store, and if the key may not see products. */
async function countProducts(signal: AbortSignal): Promise<Counts> {
  if (!can('product.read')) return noCounts;
  const params = { path: at(), query: { facets: ['category'], limit: 1 } };
  const { facets } = await had(api.GET('/stores/{storeId}/products', { params, signal }));
  const counted = facets?.categories;
  if (!counted) return noCounts;
  const counts = new Map(counted.map(({ id, count }) => [id, count]));
  // Categories without products are left out, and so are those behind the largest hundred.
  return (id) => counts.get(id) ?? (counts.size < maxCounted ? 0 : undefined);
}

function Tree({
  all,
  counts,
  search,
  status,
  reload,
  onMove,
}: {
  all: Categories;
  counts: Counts;
  search: string;
  status: string;
  reload(): void;
  onMove(category: Category): void;
}) {
  const found = matching(all, search, status);
  if (all.items.length === 0) {
    return (
      <Empty title={words.empty.title} icon="categories">
        <p>{words.empty.text}</p>
      </Empty>
    );
  }
  return (
    <>
      <p class="list-count" role="status">
        {words.count(found.length)}
        {all.total > maxCategories && `. ${words.newestOf(maxCategories, all.total)}`}
      </p>
      {found.length === 0 && <Empty title={words.noMatch} icon="search" />}
      <ul class="tree card">
        {found.map(({ category, depth }) => (
          <li key={category.id} class={depth === 1 ? 'below' : ''}>
            <a href={href(`categories/${category.id}`)}>
              <UserText>{category.name}</UserText>
              {depth === 1 && (
                <span class="unseen"> {words.under(all.byId.get(category.parentId ?? '')?.name ?? '')}</span>
              )}
            </a>
            <span class="quiet slug">{category.slug}</span>
            <ProductCount of={category} n={counts(category.id)} />
            <PublishingState status={category.status} />
            <Menu label={words.actionsFor(category.name)} items={actions(category, all, reload, onMove)} />
          </li>
        ))}
      </ul>
    </>
  );
}

function ProductCount({ of: { id }, n }: { of: Category; n: number | undefined }) {
  return (
    <span class="products">
      {n !== undefined && <a href={href(`products?categoryId=${id}`)}>{words.productsOf(n)}</a>}
    </span>
  );
}

function actions(
  category: Category,
  all: Categories,
  reload: () => void,
  onMove: (category: Category) => void,
): MenuItem[] {
  const { id, parentId } = category;
  const items: MenuItem[] = [
    { label: words.showProducts, icon: 'products', run: () => void navigate(`products?categoryId=${id}`) },
  ];
  if (can('category.write')) {
    if (parentId === null) {
      items.push({
        label: words.newSubcategory,
        icon: 'plus',
        run: () => void navigate(`categories/new?parent=${id}`),
      });
    }
    items.push({ label: words.move, icon: 'categories', run: () => onMove(category) });
  }
  if (can('category.delete')) {
    const remove = async () => {
      if (await removeCategory(category, all)) reload();
    };
    items.push({ label: words.delete, icon: 'trash', danger: true, run: () => void remove() });
  }
  return items;
}

/** Moves a category below another, or makes it a root. */
function MoveDialog({
  category,
  all,
  onDone,
  onClose,
}: {
  category: Category;
  all: Categories;
  onDone(): void;
  onClose(): void;
}) {
  const { id, name, parentId } = category;
  const options = parentOptions(all, id);
  const form = useForm({
    key: `categories/${id}/move`,
    read: { values: { parentId: parentId ?? '' } },
    saved: words.moved,
    async save(_, __, values) {
      const { etag } = await itemsOf('categories').read(id);
      await itemsOf('categories').update(id, { parentId: values.parentId || null }, etag);
      onDone();
      return { values };
    },
  });
  return (
    <Dialog title={words.moveTitle(name)} onClose={onClose}>
      <FormView form={form} saveLabel={words.move}>
        <SelectField
          form={form}
          name="parentId"
          label={words.parent}
          options={options}
          hint={hasSubcategories(all, id) ? words.hasSubcategories : undefined}
        />
      </FormView>
    </Dialog>
  );
}
