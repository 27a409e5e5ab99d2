import { useState } from 'preact/hooks';
import { itemsOf } from '../../api/items.ts';
import { can } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import { navigate, query } from '../../browser/router.ts';
import {
  Dialog,
  Empty,
  FormView,
  LinkButton,
  type Loaded,
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
import { loadCategories, maxCategories } from '../goods/all-categories.ts';
import { PublishingState } from '../goods/publishing.tsx';
import { statusOptions } from '../goods/status.ts';
import { type Categories, type Category, matching } from '../goods/tree.ts';
import { parentOptions, removeCategory } from './actions.ts';

const filters = [{ name: 'status', label: 'Status', options: statusOptions }];

/** The categories as a tree of two levels. */
export default function CategoriesScreen() {
  const loaded = useLoad('categories', loadCategories);
  const [moving, setMoving] = useState<Category>();
  const search = query.value.get('search') ?? '';
  const status = query.value.get('status') ?? '';
  return (
    <Page
      title="Categories"
      actions={
        can('category.write') && (
          <LinkButton to="categories/new" icon="plus" kind="primary">
            New category
          </LinkButton>
        )
      }
    >
      <ListFilters
        search="Name of a category"
        filters={filters}
        values={{ ...(search ? { search } : {}), ...(status ? { status } : {}) }}
      />
      <Shown of={loaded} what="the categories" rows={6}>
        {(all) => <Tree all={all} search={search} status={status} loaded={loaded} onMove={setMoving} />}
      </Shown>
      {moving && loaded.data && (
        <MoveDialog
          category={moving}
          all={loaded.data}
          onClose={() => setMoving(undefined)}
          onDone={() => {
            setMoving(undefined);
            loaded.reload();
          }}
        />
      )}
    </Page>
  );
}

function Tree({
  all,
  search,
  status,
  loaded,
  onMove,
}: {
  all: Categories;
  search: string;
  status: string;
  loaded: Loaded<Categories>;
  onMove(category: Category): void;
}) {
  const found = matching(all, search, status);
  if (all.items.length === 0) {
    return (
      <Empty title="No categories yet" icon="categories">
        <p>
          Customers find products by category. An import can create them:{' '}
          <code>commerce categories import categories.csv</code>.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <p class="list-count" role="status">
        {found.length.toLocaleString()} {found.length === 1 ? 'category' : 'categories'}
        {all.total > maxCategories &&
          ` of the newest ${maxCategories.toLocaleString()}; there are ${all.total.toLocaleString()}`}
      </p>
      {found.length === 0 && <Empty title="No categories match" icon="search" />}
      <ul class="tree card">
        {found.map(({ category, depth }) => (
          <li key={category.id} class={depth === 1 ? 'below' : ''}>
            <a href={href(`categories/${category.id}`)}>
              <UserText>{category.name}</UserText>
              {depth === 1 && <span class="unseen"> (below {all.byId.get(category.parentId ?? '')?.name})</span>}
            </a>
            <span class="quiet slug">{category.slug}</span>
            <PublishingState status={category.status} />
            <Menu label={`Actions for ${category.name}`} items={actions(category, all, loaded.reload, onMove)} />
          </li>
        ))}
      </ul>
    </>
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
    { label: 'Its products', icon: 'products', run: () => void navigate(`products?categoryId=${id}`) },
  ];
  if (can('category.write')) {
    if (parentId === null) {
      items.push({ label: 'New subcategory', icon: 'plus', run: () => void navigate(`categories/new?parent=${id}`) });
    }
    items.push({ label: 'Move', icon: 'categories', run: () => onMove(category) });
  }
  if (can('category.delete')) {
    const remove = async () => {
      if (await removeCategory(category, all)) reload();
    };
    items.push({ label: 'Delete', icon: 'trash', danger: true, run: () => void remove() });
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
    saved: 'Category moved.',
    async save(_, __, values) {
      const { etag } = await itemsOf('categories').read(id);
      await itemsOf('categories').update(id, { parentId: values.parentId || null }, etag);
      onDone();
      return { values };
    },
  });
  return (
    <Dialog title={`Move ${name}`} onClose={onClose}>
      <FormView form={form} saveLabel="Move">
        <SelectField
          form={form}
          name="parentId"
          label="Below"
          options={options}
          hint={options.length === 1 ? 'It has subcategories, and there are only two levels.' : undefined}
        />
      </FormView>
    </Dialog>
  );
}
