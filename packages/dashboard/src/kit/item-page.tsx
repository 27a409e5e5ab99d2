import type { ComponentChildren } from 'preact';
import type { Versioned } from '../api/client.ts';
import { type Collection, type Item, itemsOf } from '../api/items.ts';
import { can } from '../api/session.ts';
import type { Scope } from '../api/types.ts';
import { navigate } from '../browser/router.ts';
import { t } from '../words/words.ts';
import { actAfter } from './act.ts';
import { Menu } from './menu.tsx';
import { Page, type PageProps } from './page.tsx';
import { NoScope, Shown } from './states.tsx';
import { type Loaded, useLoad } from './use-load.ts';

/** The item of an address; without an id nothing is loaded. */
export function useItem<C extends Collection>(of: C, id: string): Loaded<Versioned<Item<C>>>;
export function useItem<C extends Collection>(of: C, id: string | undefined): Loaded<Versioned<Item<C>> | undefined>;
export function useItem<C extends Collection>(of: C, id: string | undefined): Loaded<Versioned<Item<C>> | undefined> {
  return useLoad(id ?? 'new', async (signal) => (id === undefined ? undefined : itemsOf(of).read(id, signal)));
}

/** The screen of an item in a form. A key that can only read gets `facts`; without the read scope, a message. */
export function ItemPage<T>({
  of: loaded,
  what,
  rows = 6,
  scope,
  why,
  form,
  facts,
  ...page
}: Omit<PageProps, 'children'> & {
  /** Undefined if nothing has to be loaded, as for most new items. */
  of: Loaded<T | undefined> | undefined;
  /** Names the loaded data, as after "Could not load": "the code". */
  what: string;
  /** Placeholder bars until it is loaded. */
  rows?: number;
  /** Scope that saving needs. */
  scope: Scope;
  /** Name of the data that the key may not see, as after "No access to": "the form for codes". */
  why: string;
  form(data: T | undefined): ComponentChildren;
  facts?(data: T): ComponentChildren;
}) {
  const mayWrite = can(scope);
  const content = () => {
    if (!mayWrite && !(loaded && facts)) return <NoScope scope={scope} what={why} />;
    if (!loaded) return form(undefined);
    return (
      <Shown of={loaded} what={what} rows={rows}>
        {(data) => (mayWrite ? form(data) : data !== undefined && facts?.(data))}
      </Shown>
    );
  };
  return <Page {...page}>{content()}</Page>;
}

/** The menu of an item whose only action is to delete it. */
export function DeleteMenu({ onDelete }: { onDelete(): Promise<unknown> }) {
  return (
    <Menu
      label={t.kit.moreActions}
      items={[{ label: t.kit.remove, icon: 'trash', danger: true, run: () => void onDelete() }]}
    />
  );
}

/**
 * Asks, deletes an item, and goes to the list of its collection.
 * @param etag the version to delete; any version if absent
 */
export function deleteItem(
  of: Collection,
  id: string,
  { title, text, said, etag }: { title: string; text: string; said: string; etag?: string },
): Promise<boolean> {
  const run = async () => {
    await itemsOf(of).remove(id, etag);
    await navigate(of, { replace: true });
  };
  return actAfter({ title, text, yes: t.kit.remove }, run, said);
}
