import { useState } from 'preact/hooks';
import { Button } from '../button.tsx';

/** Asks for the number of an order. */
export function FindOrder({
  id,
  label,
  action,
  initial = '',
  onFind,
}: {
  id: string;
  label: string;
  /** The words of the button. */
  action: string;
  initial?: string;
  /** @param number without blanks around it; empty if none was entered */
  onFind(number: string): void;
}) {
  const [number, setNumber] = useState(initial);
  return (
    <form
      class="find-order"
      onSubmit={(event) => {
        event.preventDefault();
        onFind(number.trim());
      }}
    >
      <div class="field">
        <label htmlFor={id}>{label}</label>
        <input
          id={id}
          value={number}
          autoComplete="off"
          placeholder="ORD-1001"
          onInput={({ currentTarget }) => setNumber(currentTarget.value)}
        />
      </div>
      <Button type="submit" icon="search">
        {action}
      </Button>
    </form>
  );
}
