import { hash } from 'node:crypto';

/** Share of the places that can be taken before the index grows. */
const maxFull = 0.7;

/** Maximum places of a table. Texts from more than two tables ago are forgotten. */
const maxPlaces = 2 ** 19;

/**
 * The first line of each text, for files of any length. Remembers at least the last 360,000 texts, in 12 bytes each. Texts are compared by
 * 64 bits of a digest.
 */
export class LineIndex {
  #older: Table | undefined;
  #newer = new Table();

  /** The line at which the text was seen first; otherwise notes it at this line. */
  note(text: string, line: number): number | undefined {
    // As a text of 16 bytes: a buffer costs three times as much.
    const digest = hash('md5', text, 'binary');
    const [high, low] = [wordAt(digest, 0), wordAt(digest, 4)];
    const known = this.#older?.find(high, low) ?? this.#newer.note(high, low, line);
    if (this.#newer.isFull) {
      this.#older = this.#newer;
      this.#newer = new Table();
    }
    return known;
  }
}

/** 32 bits of a text of bytes. */
function wordAt(bytes: string, at: number): number {
  const byte = (i: number) => bytes.charCodeAt(at + i);
  return (byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24)) >>> 0;
}

class Table {
  #places = 1024;
  #taken = 0;
  /** Two words of the digest for each place, then the line; 0 for a free place. */
  #high = new Uint32Array(this.#places);
  #low = new Uint32Array(this.#places);
  #lines = new Uint32Array(this.#places);

  get isFull(): boolean {
    return this.#places === maxPlaces && this.#taken >= maxPlaces * maxFull;
  }

  find(high: number, low: number): number | undefined {
    return this.#lines[this.#placeOf(high, low)] || undefined;
  }

  note(high: number, low: number, line: number): number | undefined {
    const place = this.#placeOf(high, low);
    const known = this.#lines[place] as number;
    if (known !== 0) return known;
    this.#set(place, high, low, line);
    if (++this.#taken > this.#places * maxFull && this.#places < maxPlaces) this.#grow();
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
