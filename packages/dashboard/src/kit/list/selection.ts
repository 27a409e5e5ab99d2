/** The selected rows, and the row that a range starts from. */
export interface Selection {
  ids: ReadonlySet<string>;
  anchor: string | undefined;
  /** Whether every row that matches is selected, loaded or not. */
  isEverything?: boolean;
}

export const noSelection: Selection = { ids: new Set(), anchor: undefined };

/**
 * The selection after a row was toggled. With Shift, every row between the last one and this one gets the state of this one.
 * @param order ids of the loaded rows, in order
 */
export function toggle(selection: Selection, id: string, order: readonly string[], range = false): Selection {
  const ids = new Set(selection.ids);
  const on = !ids.has(id);
  const from = range && selection.anchor !== undefined ? order.indexOf(selection.anchor) : -1;
  const to = order.indexOf(id);
  const among = from === -1 || to === -1 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1);
  for (const one of among) {
    if (on) ids.add(one);
    else ids.delete(one);
  }
  return { ids, anchor: id };
}

/** Selects all of these; if all are selected, none. */
export function toggleAll(selection: Selection, order: readonly string[]): Selection {
  const all = order.every((id) => selection.ids.has(id));
  return { ids: new Set(all ? [] : order), anchor: undefined };
}
