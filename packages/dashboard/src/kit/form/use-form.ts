import { type Signal, useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type ApiError, toApiError } from '../../api/errors.ts';
import { useShortcuts } from '../../browser/shortcuts.ts';
import { t } from '../../words/words.ts';
import { toast } from '../toast.tsx';
import { useUnsaved } from '../unsaved.ts';
import { type Draft, readDraft, writeDraft } from './drafts.ts';
import { placeErrors } from './field-errors.ts';
import { changedFields, isSame, type Merge, merge, type Values } from './merge.ts';

/** Values with the version that was read. */
export interface Read<T extends Values> {
  values: T;
  /** Sent as `If-Match`; absent for a new item. */
  etag?: string | undefined;
}

export interface FormOptions<T extends Values> {
  /** Names the item, for its draft: `products/1f…`, or `products/new`. */
  key: string;
  read: Read<T>;
  /**
   * Saves the changed fields, and returns the stored item; `said` is the message about it, if the answer decides that.
   * @param all every field, for a new item
   */
  save(changes: Partial<T>, etag: string | undefined, all: T): Promise<Read<T> & { said?: string }>;
  /** Reads the item again, if another user has changed it. */
  reread?(): Promise<Read<T>>;
  /** Fields that are not stored in the draft, such as the secrets of a payment provider. */
  secret?: readonly (keyof T & string)[];
  /** Message after saving, with a default; none if it is empty. */
  saved?: string;
  /** Called once it is saved, when leaving is safe. */
  onSaved?(now: Read<T>): void;
  /** Names of the fields, for the choice between two versions. */
  labels?: Partial<Record<keyof T & string, string>>;
  /** Further names for errors, such as `addresses.0.city` for a form that shows each address. */
  places?(values: T): readonly string[];
}

/** Refuses values before they are sent: reasons by the name of the field. */
export type Check = () => Record<string, string | undefined>;

export interface Form<T extends Values> {
  labels: Partial<Record<keyof T & string, string>>;
  values: Signal<T>;
  /** Errors by the name of the field. */
  errors: Signal<Record<string, string>>;
  /** Errors that belong to no field. */
  refusal: Signal<ApiError | undefined>;
  busy: Signal<boolean>;
  dirty: Signal<boolean>;
  draft: Signal<Draft | undefined>;
  /** Set while the user has to choose between two versions. */
  conflict: Signal<{ merge: Merge<T>; theirs: Read<T> } | undefined>;
  set<K extends keyof T & string>(field: K, value: T[K]): void;
  /**
   * Adds a check before sending; what it answers is shown at the fields, and nothing is sent.
   * @returns removes the check
   */
  guard(check: Check): () => void;
  save(): Promise<void>;
  /** Discards the changes. */
  reset(): void;
  restore(): void;
  dropDraft(): void;
  /** Continues from their version with these values. */
  resolve(values: T): Promise<void>;
}

/** Milliseconds after the last key before a draft is written. */
const draftPause = 400;

/** Moves the focus to the first refused field, after it is rendered. */
function showRefusal(): void {
  setTimeout(() => document.querySelector<HTMLElement>('form [aria-invalid=true], form .notice.bad')?.focus());
}

/** The state of a form: only changes are sent, on top of the version that was read, and errors go to their fields. */
export function useForm<T extends Values>(options: FormOptions<T>): Form<T> {
  const current = useRef(options);
  current.current = options;
  const read = useSignal<Read<T>>(options.read);
  const values = useSignal<T>(options.read.values);
  const errors = useSignal<Record<string, string>>({});
  const refusal = useSignal<ApiError | undefined>(undefined);
  const busy = useSignal(false);
  const conflict = useSignal<{ merge: Merge<T>; theirs: Read<T> } | undefined>(undefined);
  const draft = useSignal<Draft | undefined>(readDraft(options.key));
  const dirty = useComputed(() => !isSame(read.value.values, values.value));
  const guards = useRef(new Set<Check>());
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const keep = () => {
    const { key, secret = [] } = current.current;
    const changes: Values = changedFields(read.value.values, values.value);
    for (const name of secret) delete changes[name];
    writeDraft(key, changes, read.value.values);
  };
  const accept = (now: Read<T>) => {
    read.value = now;
    values.value = now.values;
    clearTimeout(timer.current);
    writeDraft(current.current.key, {});
    draft.value = undefined;
  };
  const refuse = (thrown: unknown) => {
    const error = toApiError(thrown);
    const further = current.current.places?.(values.value) ?? [];
    const { placed, rest } = placeErrors(error.details, [...Object.keys(values.value), ...further]);
    errors.value = placed;
    const isPlaced = error.status === 400 && rest.length === 0 && Object.keys(placed).length > 0;
    refusal.value = isPlaced ? undefined : error;
    showRefusal();
  };
  const send = async (isSecond = false): Promise<void> => {
    const { save, reread, saved = t.kit.form.saved, onSaved } = current.current;
    const typed = values.value;
    // A newer version can be read while the changes are being sent.
    const base = read.value;
    errors.value = Object.fromEntries(
      [...guards.current]
        .flatMap((check) => Object.entries(check()))
        .flatMap(([name, said]) => (said ? [[name, said]] : [])),
    );
    refusal.value = undefined;
    if (Object.keys(errors.value).length > 0) return showRefusal();
    busy.value = true;
    try {
      const now = await save(changedFields(base.values, typed), base.etag, typed);
      // Text typed during the request is kept.
      const later = changedFields(typed, values.value);
      accept(now);
      values.value = { ...now.values, ...later };
      const said = now.said ?? saved;
      if (said !== '') toast(said);
      onSaved?.(now);
    } catch (thrown) {
      const error = toApiError(thrown);
      if (error.status === 409 && reread && base.etag) {
        try {
          const theirs = await reread();
          if (theirs.etag !== base.etag) {
            const merged = merge(base.values, values.value, theirs.values);
            if (merged.conflicts.length > 0 || merged.taken.length > 0 || isSecond) {
              conflict.value = { merge: merged, theirs };
              return;
            }
            // Another user has changed a field that this form does not show.
            read.value = theirs;
            return await send(true);
          }
        } catch {
          // The first error says more.
        }
      }
      refuse(error);
    } finally {
      busy.value = false;
    }
  };
  const form: Form<T> = {
    labels: options.labels ?? {},
    values,
    errors,
    refusal,
    busy,
    dirty,
    draft,
    conflict,
    set(field, value) {
      values.value = { ...values.value, [field]: value };
      if (errors.value[field]) {
        const { [field]: _, ...rest } = errors.value;
        errors.value = rest;
      }
      clearTimeout(timer.current);
      timer.current = setTimeout(keep, draftPause);
    },
    guard(check) {
      guards.current.add(check);
      return () => guards.current.delete(check);
    },
    async save() {
      if (busy.value) return;
      if (read.value.etag && !dirty.value) toast(t.kit.form.nothing);
      else await send();
    },
    reset() {
      accept(read.value);
      errors.value = {};
      refusal.value = undefined;
    },
    restore() {
      const { changes = {}, base = {} } = draft.value ?? {};
      draft.value = undefined;
      const now = read.value;
      // Another user may have changed the same field since it was typed.
      const merged = merge<T>({ ...now.values, ...base }, { ...values.value, ...changes }, now.values);
      if (merged.conflicts.length > 0) conflict.value = { merge: merged, theirs: now };
      else values.value = merged.values;
    },
    dropDraft() {
      writeDraft(current.current.key, {});
      draft.value = undefined;
    },
    async resolve(chosen) {
      const theirs = conflict.value?.theirs;
      conflict.value = undefined;
      if (!theirs) return;
      read.value = theirs;
      values.value = chosen;
      if (dirty.value) await send();
      else accept(theirs);
    },
  };
  // A newer version was read: it replaces the form's values, unless the typed values began from another version. It happens at once, before
  // more can be typed on the older version.
  const { read: latest } = options;
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another version
  useLayoutEffect(() => {
    const was = read.value;
    if (!latest.etag || latest.etag === was.etag) return;
    const isPristine = !dirty.value;
    if (isPristine || isSame(latest.values, was.values)) read.value = latest;
    if (isPristine) values.value = latest.values;
  }, [latest.etag]);
  useUnsaved(() => dirty.value);
  useShortcuts([{ keys: 'mod+s', label: t.kit.form.save, run: () => void form.save() }]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: at the end alone
  useLayoutEffect(
    () => () => {
      clearTimeout(timer.current);
      if (dirty.value) keep();
    },
    [],
  );
  return form;
}
