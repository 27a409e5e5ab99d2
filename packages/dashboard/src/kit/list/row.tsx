import { Component, type ComponentChildren } from 'preact';
import { href } from '../../browser/places.ts';
import { t } from '../../words/words.ts';

export interface Column<T> {
  label: string;
  cell(row: T): ComponentChildren;
  /** A control beside the link of the first column. */
  beside?(row: T): ComponentChildren;
  /** Numbers are right-aligned. */
  end?: boolean;
  /**
   * Position in the card of a phone: `title` and `amount` in its first line, `meta` and `state` in the second. Without it, a card leaves
   * the column out.
   */
  card?: 'title' | 'amount' | 'meta' | 'state';
  /** The values of `sort` that order the list by this column; without it, the heading is no button. */
  sort?: Sort;
}

/** The two orders of a column, as the interface names them. */
export interface Sort {
  asc: string;
  desc: string;
  /** The order of the list if the address names none. */
  initial?: 'asc' | 'desc';
}

/** Actions of a row. They read the current rows when called, so that the row need not be rendered again. */
export interface RowDeeds {
  pick(id: string, isRange: boolean): void;
  open(to: string): void;
}

interface RowProps<T> {
  /** Position in the block, from 0. */
  index: number;
  /** Undefined until it is loaded. */
  row: T | undefined;
  id: string | undefined;
  name: string;
  /** Link of the row. */
  target: string | undefined;
  columns: readonly Column<T>[];
  /** Undefined if rows cannot be selected. */
  isSelected: boolean | undefined;
  deeds: { readonly current: RowDeeds };
}

/** A row of a list. It is rendered again only when its data changes, not on scrolling. */
export class ListRow<T> extends Component<RowProps<T>> {
  override shouldComponentUpdate(next: RowProps<T>): boolean {
    const { row, columns, isSelected, index } = this.props;
    return next.row !== row || next.columns !== columns || next.isSelected !== isSelected || next.index !== index;
  }

  override render({ index, row, id, name, target, columns, isSelected, deeds }: RowProps<T>) {
    return (
      <tr
        role="row"
        data-id={id}
        aria-rowindex={index + 2}
        class={isSelected ? 'selected' : ''}
        onClick={(event) => {
          if (!target || (event.target as Element).closest('a, button, input, label, select')) return;
          if (getSelection()?.isCollapsed !== false) deeds.current.open(target);
        }}
      >
        {isSelected !== undefined && (
          <td role="cell" class="pick">
            {id !== undefined && (
              <label>
                <input
                  type="checkbox"
                  checked={isSelected}
                  aria-label={t.kit.list.select(name)}
                  onClick={(event) => deeds.current.pick(id, event.shiftKey)}
                />
              </label>
            )}
          </td>
        )}
        {columns.map(({ label, cell, beside, end, card }, n) => {
          const content = row === undefined ? <span class="bar" /> : cell(row);
          return (
            <td key={label} role="cell" class={`${end ? 'end ' : ''}${card ? `card-${card}` : 'wide-only'}`}>
              {n === 0 && target !== undefined ? (
                <a data-row href={href(target)}>
                  {content}
                </a>
              ) : (
                content
              )}
              {row !== undefined && beside?.(row)}
            </td>
          );
        })}
      </tr>
    );
  }
}
