/** The last products of the loaded pages: they make the next page fast, however far down it is. */
export class EndsOfPages {
  #key = '';
  readonly #ends = new Map<number, string>();

  /** The window as requested. */
  windowOf(
    values: Record<string, string>,
    { limit, offset }: { limit: number; offset: number },
  ): { limit: number; offset?: number; after?: string } {
    this.#turnTo(values);
    // The order of best sellers has no `after`.
    const after = values.sort === 'bestselling' ? undefined : this.#ends.get(offset);
    // The top of the list is always loaded fresh; an offset is slow only far down.
    return after === undefined || offset < 1000 ? { limit, offset } : { limit, after };
  }

  note(values: Record<string, string>, offset: number, items: readonly { id: string }[]): void {
    this.#turnTo(values);
    const last = items.at(-1);
    if (last) this.#ends.set(offset + items.length, last.id);
  }

  #turnTo(values: Record<string, string>): void {
    const key = JSON.stringify(values);
    if (key !== this.#key) this.#ends.clear();
    this.#key = key;
  }
}
