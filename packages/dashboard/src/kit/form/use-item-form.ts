import { useRef } from 'preact/hooks';
import type { Versioned } from '../../api/client.ts';
import { type Changes, type Collection, type Item, itemsOf } from '../../api/items.ts';
import type { Values } from './merge.ts';
import { type Form, type FormOptions, type Read, useForm } from './use-form.ts';

export interface ItemFormOptions<C extends Collection, T extends Values>
  extends Pick<FormOptions<T>, 'saved' | 'places'> {
  of: C;
  /** Undefined for a new item. */
  id: string | undefined;
  /** The item as it was read; undefined for a new one. */
  read: Versioned<Item<C>> | undefined;
  /** Names the draft, unless it is the only one of this item. */
  key?: string;
  /** Values of the form for an item; for a new one, the values it begins with. */
  toValues(item: Item<C> | undefined): T;
  /** The body of a request; a field that the form does not change is absent. @throws ApiError for a value that cannot be sent */
  toBody(values: Partial<T>): Changes<C>;
  /** Called once it is saved and nothing is unsaved any more, so that one may leave. */
  onSaved(now: Versioned<Item<C>>): void;
}

/** The form of an item: creates a new one, or changes the one that was read, and reads it again when another client has changed it. */
export function useItemForm<C extends Collection, T extends Values>(options: ItemFormOptions<C, T>): Form<T> {
  const { of, id, read, key = `${of}/${id ?? 'new'}`, saved, places, toValues, toBody, onSaved } = options;
  const items = itemsOf(of);
  const last = useRef(read);
  const toRead = (one: Versioned<Item<C>> | undefined): Read<T> => ({ values: toValues(one?.item), etag: one?.etag });
  return useForm<T>({
    key,
    read: toRead(read),
    ...(saved ? { saved } : {}),
    ...(places ? { places } : {}),
    async save(changes, etag, all) {
      last.current = id === undefined ? await items.create(toBody(all)) : await items.update(id, toBody(changes), etag);
      return toRead(last.current);
    },
    onSaved: () => last.current && onSaved(last.current),
    ...(id === undefined ? {} : { reread: async () => toRead(await items.read(id)) }),
  });
}

/** Values with null for each empty text, which clears an optional field. @param required fields whose empty text the service refuses */
export function withNulls<T extends Values>(values: T, required: readonly (keyof T & string)[]): T {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    value === '' && !required.includes(name) ? null : value,
  ]);
  return Object.fromEntries(entries) as T;
}
