import { api, at, hadItem, type Versioned } from '../../../api/client.ts';
import { type ApiError, toApiError } from '../../../api/errors.ts';
import { rename } from '../../../api/session.ts';
import type { Schemas } from '../../../api/types.ts';
import { type FieldKinds, type Form, labelsOf, readValues, useForm, type ValuesOf } from '../../../kit/index.ts';
import { t } from '../../../words/words.ts';
import { flatSettings, type Settings, type SettingsPage, settingsBody } from './fields.ts';

export const readSettings = (signal?: AbortSignal): Promise<Versioned<Settings>> =>
  hadItem(api.GET('/stores/{storeId}/settings', { params: { path: at() }, signal: signal ?? null }));

/** Changes some of the settings, on top of the version that was read. */
export const saveSettings = (
  body: Schemas['SettingsChanges'],
  etag: string | undefined,
): Promise<Versioned<Settings>> =>
  hadItem(api.PUT('/stores/{storeId}/settings', { params: { path: at(), header: { 'If-Match': etag } }, body }));

export interface FormProps {
  read: Versioned<Settings>;
  onSaved(saved: Versioned<Settings>): void;
}

interface Options<F extends FieldKinds> {
  /** Further names for errors, such as those of rows. */
  places?: (values: ValuesOf<F>) => readonly string[];
  /** Fields that no draft keeps. */
  secret?: readonly (keyof F & string)[];
  /** Says a refusal in words of its own. */
  refused?: (error: ApiError) => ApiError;
}

/** A form for some of the settings. */
export function useSettings<F extends FieldKinds>(
  page: SettingsPage,
  fields: F,
  { read, onSaved }: FormProps,
  { places, secret, refused = (error) => error }: Options<F> = {},
): Form<ValuesOf<F>> {
  const toRead = ({ item, etag }: Versioned<Settings>) => ({ values: readValues(fields, flatSettings(item)), etag });
  return useForm<ValuesOf<F>>({
    key: `settings/${page}`,
    labels: labelsOf(fields),
    read: toRead(read),
    saved: t.settings.saved,
    ...(places ? { places } : {}),
    ...(secret ? { secret } : {}),
    async save(changes, etag, all) {
      const body = settingsBody(fields, changes, all);
      const saved = await saveSettings(body, etag).catch((thrown) => {
        throw refused(toApiError(thrown));
      });
      const { name, timeZone } = saved.item;
      rename({ name, timeZone });
      onSaved(saved);
      return toRead(saved);
    },
    reread: async () => toRead(await readSettings()),
  });
}
