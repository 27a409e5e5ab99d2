import { useId } from 'preact/hooks';
import { classNames } from './tax-class.ts';

/** A class of goods for tax: one of those in use, or another that is typed. Its value is the text. */
export function ClassInput({
  value,
  used,
  onValue,
  ...control
}: {
  value: string;
  /** Classes in use. */
  used: readonly string[];
  onValue(text: string): void;
  id?: string;
  name?: string;
  'aria-label'?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: 'true' | undefined;
}) {
  const list = useId();
  return (
    <>
      <input
        {...control}
        list={list}
        dir="auto"
        autoComplete="off"
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
      <datalist id={list}>
        {classNames(used).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
