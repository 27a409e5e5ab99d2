import { useRef, useState } from 'preact/hooks';
import { href } from '../../browser/places.ts';
import { Button, Field, type Form } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { longest } from './fields.ts';

const words = t.labels.tags;

/** Tags as chips, and a line to add one with Enter or a comma. */
export function TagsField<T extends { tags: string[] }>({ form: given }: { form: Form<T> }) {
  const form = given as unknown as Form<{ tags: string[] }>;
  // What is being typed is the last of the tags, so that saving does not lose it. Once it is saved, it is a chip, too.
  const [hasTyped, setTyping] = useState(false);
  const isTyping = hasTyped && form.dirty.value;
  const input = useRef<HTMLInputElement>(null);
  const all = form.values.value.tags;
  const tags = isTyping ? all.slice(0, -1) : all;
  const typed = isTyping ? (all.at(-1) ?? '') : '';
  const put = (next: string[]) => form.set('tags', next);
  /** Makes a chip of what is typed. */
  const finish = () => {
    setTyping(false);
    put([...new Set([...tags, typed.trim()])].filter(Boolean));
  };
  return (
    <Field form={form} name="tags" label={words.label} hint={words.hint}>
      {(control) => (
        <div>
          {tags.length > 0 && (
            <ul class="chips">
              {tags.map((tag, i) => (
                <li key={tag}>
                  <bdi>{tag}</bdi>
                  <Button
                    kind="quiet"
                    icon="close"
                    label={words.remove(tag)}
                    onClick={() => {
                      put(all.filter((_, at) => at !== i));
                      input.current?.focus();
                    }}
                  />
                </li>
              ))}
            </ul>
          )}
          <input
            {...control}
            ref={input}
            dir="auto"
            autoComplete="off"
            maxLength={longest.tag}
            placeholder={words.example}
            value={typed}
            onInput={({ currentTarget: { value } }) => {
              setTyping(value !== '');
              put(value === '' ? [...tags] : [...tags, value]);
            }}
            onKeyDown={(event) => {
              if ((event.key !== 'Enter' && event.key !== ',') || typed.trim() === '') return;
              event.preventDefault();
              finish();
            }}
          />
        </div>
      )}
    </Field>
  );
}

/** Tags with links to what else has them; nothing if there are none. @param to the list, such as `orders?tab=all` */
export function TagLinks({ tags, to }: { tags: readonly string[]; to: string }) {
  if (tags.length === 0) return null;
  return (
    <ul class="chips linked" aria-label={words.label}>
      {tags.map((tag) => (
        <li key={tag}>
          <a href={href(`${to}${to.includes('?') ? '&' : '?'}tag=${encodeURIComponent(tag)}`)}>
            <bdi>{tag}</bdi>
          </a>
        </li>
      ))}
    </ul>
  );
}
