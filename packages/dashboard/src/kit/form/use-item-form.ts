import { useRef } from 'preact/hooks';
import type { Versioned } from '../../api/client.ts';
import { type ApiError, toApiError } from '../../api/errors.ts';
import { type Changes, type Collection, type Item, itemsOf } from '../../api/items.ts';
import { bodyOf, type FieldKinds, labelsOf, readValues, type ValuesOf } from './kinds.ts';
import { type Form, type FormOptions, type Read, useForm } from './use-form.ts';

/** Fields of an item of the collection; any other is a type error. */
type Known<C extends Collection, F> = F & Record<Exclude<keyof F, keyof Item<C> | keyof Changes<C>>, never>;

export interface ItemFormOptions<C extends Collection, F extends FieldKinds>
  extends Pick<FormOptions<ValuesOf<F>>, 'saved' | 'places'> {
  of: C;
  fields: Known<C, F>;
  /** The item that was read; undefined for a new one. */
  read: Versioned<Item<C>> | undefined;
  /** Initial values of a new item, if they differ from the defaults of the fields. */
  initial?: ValuesOf<F>;
  /** Names the draft, if the same item has several. */
  key?: string;
  /** Says a refusal in words of its own. */
  refused?(error: ApiError): ApiError;
  /** Called once it is saved, when leaving is safe. */
  onSaved(now: Versioned<Item<C>>): void;
}

/** The form of an item: creates a new one, or changes the one that was read. Reads it again if another client has changed it. */
export function useItemForm<C extends Collection, F extends FieldKinds>(
  options: ItemFormOptions<C, F>,
): Form<ValuesOf<F>> {
  const { of, read, initial, saved, places, refused = (error) => error, onSaved } = options;
  const fields: F = options.fields;
  const id = read?.item.id;
  const items = itemsOf(of);
  const last = useRef(read);
  const toRead = (one: Versioned<Item<C>>): Read<ValuesOf<F>> => ({
    values: readValues(fields, one.item),
    etag: one.etag,
  });
  const toBody = (values: Partial<ValuesOf<F>>) => bodyOf(fields, values) as Changes<C>;
  return useForm<ValuesOf<F>>({
    key: options.key ?? `${of}/${id ?? 'new'}`,
    read: read ? toRead(read) : { values: initial ?? readValues(fields) },
    labels: labelsOf(fields),
    ...(saved ? { saved } : {}),
    ...(places ? { places } : {}),
    async save(changes, etag, all) {
      const saving = id === undefined ? items.create(toBody(all)) : items.update(id, toBody(changes), etag);
      last.current = await saving.catch((thrown) => {
        throw refused(toApiError(thrown));
      });
      return toRead(last.current);
    },
    onSaved: () => last.current && onSaved(last.current),
    ...(id === undefined ? {} : { reread: async () => toRead(await items.read(id)) }),
  });
}
