/** Observers of one kind of event in an open database. */
export class Observers<Observer extends object> {
  readonly #watching = new Set<Observer>();

  /** @returns ends the observation */
  watch(observer: Observer): () => void {
    this.#watching.add(observer);
    return () => this.#watching.delete(observer);
  }

  tell(about: (observer: Observer) => void): void {
    for (const observer of this.#watching) {
      try {
        about(observer);
      } catch {
        // An observer's error must not undo a payment.
      }
    }
  }
}
