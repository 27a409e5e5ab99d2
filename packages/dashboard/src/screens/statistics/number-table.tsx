import type { ComponentChildren } from 'preact';

export interface NumberRow {
  key: string;
  name: ComponentChildren;
  numbers: readonly ComponentChildren[];
}

/** A table with a name and numbers in each row. A narrow screen scrolls it, also by keys. */
export function NumberTable({
  label,
  columns,
  rows,
}: {
  label: string;
  /** The column of the names, and those of the numbers. */
  columns: readonly [name: string, ...numbers: string[]];
  rows: readonly NumberRow[];
}) {
  const [first, ...others] = columns;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it
    <section class="table-space" aria-label={label} tabIndex={0}>
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {others.map((name) => (
              <th key={name} scope="col" class="end">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, numbers }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {numbers.map((number, i) => (
                <td key={others[i]} class="end">
                  {number}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
