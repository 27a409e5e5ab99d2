/** Rows that are selected, and the one from which a range begins. */
export interface Selection {
  ids: ReadonlySet<string>;
  anchor: string | undefined;
}

export const noSelection: Selection = { ids: new Set(), anchor: undefined };

/**
 * The selection after a row was switched; with Shift, every row between the last one and this gets the state of this.
 * @param order ids of the rows that are loaded, as they stand
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

/** All of these, or none of them where all are selected already. */
export function toggleAll(selection: Selection, order: readonly string[]): Selection {
  const all = order.every((id) => selection.ids.has(id));
  return { ids: new Set(all ? [] : order), anchor: undefined };
}
