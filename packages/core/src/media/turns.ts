/** Lets so many pieces of work go on at once; the others wait in the order they came. */
export class Turns {
  readonly #atOnce: number;
  readonly #line: (() => void)[] = [];
  #going = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#going >= this.#atOnce) await new Promise<void>((go) => this.#line.push(go));
    else this.#going++;
    try {
      return await work();
    } finally {
      // Handed over, not given back: nobody who comes meanwhile goes first.
      const next = this.#line.shift();
      if (next) next();
      else this.#going--;
    }
  }
}
