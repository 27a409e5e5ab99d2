import { type Mapped, problem } from '../files/rows.ts';

/** Customers of a file without an e-mail: they are left out, and one warning at the end has their number. */
export class WithoutEmail {
  readonly #header: string;
  #count = 0;
  #line = 0;

  /** @param header the column of the e-mail */
  constructor(header: string) {
    this.#header = header;
  }

  /** Notes one that is left out. @param line the line of the file */
  note(line: number): void {
    this.#count++;
    this.#line ||= line;
  }

  end(): Mapped[] {
    if (this.#count === 0) return [];
    const who =
      this.#count === 1 ? 'a customer without an e-mail is' : `${this.#count} customers without an e-mail are`;
    return [{ told: [problem(this.#line, this.#header, '', `${who} left out, the first at this line`)] }];
  }
}
