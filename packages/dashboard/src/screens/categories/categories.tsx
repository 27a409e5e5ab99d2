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
  const [moving, setMoving] = useState<Category>();
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
            <PublishingState status={category.status} />
            <Menu label={words.actionsFor(category.name)} items={actions(category, all, loaded.reload, onMove)} />
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
