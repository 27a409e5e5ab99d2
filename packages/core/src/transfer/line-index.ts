import { hash } from 'node:crypto';

/** Part of the places that may be taken before the index grows. */
const maxFull = 0.7;

/**
 * Lines at which texts stand first, for files of any length: 12 bytes a text, however long it is. Texts are told apart by 64 bits
 * of a digest.
 */
export class LineIndex {
  #places = 1024;
  #taken = 0;
  /** Two words of the digest for each place, then the line; 0 for a free place. */
  #high = new Uint32Array(this.#places);
  #low = new Uint32Array(this.#places);
  #lines = new Uint32Array(this.#places);

  /** The line at which the text stands already; otherwise it is noted at this one. */
  note(text: string, line: number): number | undefined {
    const digest = Buffer.from(hash('md5', text, 'hex').slice(0, 16), 'hex');
    const [high, low] = [digest.readUInt32LE(0), digest.readUInt32LE(4)];
    const place = this.#placeOf(high, low);
    const known = this.#lines[place] as number;
    if (known !== 0) return known;
    this.#set(place, high, low, line);
    if (++this.#taken > this.#places * maxFull) this.#grow();
    return undefined;
  }

  #placeOf(high: number, low: number): number {
    let place = low & (this.#places - 1);
    while (this.#lines[place] !== 0 && (this.#high[place] !== high || this.#low[place] !== low)) {
      place = (place + 1) & (this.#places - 1);
    }
    return place;
  }

  #set(place: number, high: number, low: number, line: number): void {
    this.#high[place] = high;
    this.#low[place] = low;
    this.#lines[place] = line;
  }

  #grow(): void {
    const [high, low, lines] = [this.#high, this.#low, this.#lines];
    this.#places *= 2;
    this.#high = new Uint32Array(this.#places);
    this.#low = new Uint32Array(this.#places);
    this.#lines = new Uint32Array(this.#places);
    for (let i = 0; i < lines.length; i++) {
      if (lines[i] === 0) continue;
      const [a, b] = [high[i] as number, low[i] as number];
      this.#set(this.#placeOf(a, b), a, b, lines[i] as number);
    }
  }
}
