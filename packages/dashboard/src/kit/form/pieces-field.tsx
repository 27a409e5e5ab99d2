import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Schemas } from '../../api/types.ts';
import { t } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { lineText } from '../terms/line.ts';
import { UserText } from '../text.tsx';
import type { Values } from './merge.ts';
import { piecesName, piecesOf } from './pieces.ts';
import type { Form } from './use-form.ts';

const words = t.kit.pieces;

/** A line of an order, and how many of its pieces are meant. The value is a text. */
export function PiecesField<T extends Values>({
  form,
  item,
  left,
  children,
}: {
  form: Form<T>;
  item: Schemas['Order']['items'][number];
  /** The most pieces that can be chosen. */
  left: number;
  children?: ComponentChildren;
}) {
  const id = useId();
  const name: keyof T & string = piecesName(item.id);
  const value = String(form.values.value[name] ?? '');
  const reason = form.errors.value[name];
  const set = (text: string) => form.set(name, text as T[typeof name]);
  const step = (by: number) => set(String(Math.max(0, Math.min(left, (piecesOf(value, left) ?? 0) + by))));
  return (
    <div class="piece">
      <label htmlFor={id}>
        <UserText>{item.titleSnapshot}</UserText>{' '}
        <span class="quiet">
          <UserText>{lineText(item)}</UserText>
        </span>
      </label>
      <span class="how-many">
        <Button kind="quiet" label={words.less(item.titleSnapshot)} onClick={() => step(-1)}>
          <span aria-hidden="true">−</span>
        </Button>
        <input
          id={id}
          name={name}
          inputMode="numeric"
          autoComplete="off"
          aria-invalid={reason ? 'true' : undefined}
          aria-describedby={`${id}-of${reason ? ` ${id}-reason` : ''}`}
          value={value}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
        <Button kind="quiet" icon="plus" label={words.more(item.titleSnapshot)} onClick={() => step(1)} />
        <span class="quiet" id={`${id}-of`}>
          {words.ofLeft(left)}
        </span>
      </span>
      {children}
      {reason && (
        <p class="reason" id={`${id}-reason`} dir="auto">
          {reason}
        </p>
      )}
    </div>
  );
}
