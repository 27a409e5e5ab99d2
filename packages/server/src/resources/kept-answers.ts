import type { Engine, Lasting } from '@commerce/core';
import { KeptBody, minCompressed } from '../bodies/kept-body.ts';
import type { Answer } from '../http.ts';

/** Longer answers are not kept: one of them would take the place of hundreds of others. */
const maxLength = 1024 * 1024;

/** Longer names are hardly asked for twice. */
const maxName = 1000;

/** Names that are remembered of the answers that were asked for. */
const maxAsked = 5000;

/** Bytes of the objects and headers of an answer, about. */
const overhead = 600;

interface Kept {
  answer: Answer;
  until: number;
  bytes: number;
}

/**
 * Answers to reads, kept until the number of the database's last commit changes. An answer may depend on the data, the address, and whether
 * the key is public, and on nothing else. The caller has checked key, scopes and limits. The least recently used answers are dropped first.
 *
 * An answer is kept when it is asked for the second time. Most are asked for once, and the garbage collector would have to move them.
 */
export class KeptAnswers {
  readonly #lastCommit: () => number;
  readonly #maxBytes: number;
  readonly #answers = new Map<string, Kept>();
  /** Names that were asked for of late, also before the last commit. */
  readonly #asked = new Set<string>();
  #commit: number | undefined;
  #bytes = 0;

  /** @returns undefined if the storage does not know its last commit, or nothing is to be kept */
  static of(engine: Pick<Engine, 'storage'>, maxBytes: number): KeptAnswers | undefined {
    if (!engine.storage.lastCommit || maxBytes <= 0) return undefined;
    // The engine gets another storage when it is closed, which refuses.
    return new KeptAnswers(() => engine.storage.lastCommit?.() ?? Number.NaN, maxBytes);
  }

  private constructor(lastCommit: () => number, maxBytes: number) {
    this.#lastCommit = lastCommit;
    this.#maxBytes = maxBytes;
  }

  /** Bytes that are held, about; at most the maximum. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * The answer that was kept under a name, if it is still right.
   * @param now in milliseconds
   */
  get(name: string, now: number): Answer | undefined {
    this.#refresh();
    const kept = this.#answers.get(name);
    if (!kept) return undefined;
    this.#answers.delete(name);
    if (now >= kept.until) {
      this.#bytes -= kept.bytes;
      return undefined;
    }
    this.#answers.set(name, kept);
    return kept.answer;
  }

  /**
   * Makes an answer, and keeps it unless something was written meanwhile.
   * @param make reads the data, and lowers `lasting` if the answer changes with time
   */
  async make(name: string, make: (lasting: Lasting) => Promise<Answer>): Promise<Answer> {
    const commit = this.#refresh();
    const lasting: Lasting = { until: Number.POSITIVE_INFINITY };
    const answer = await make(lasting);
    if (answer.status === 200 && answer.body !== undefined && this.#refresh() === commit && this.#wasAsked(name)) {
      this.#keep(name, answer, answer.body, lasting);
    }
    return answer;
  }

  /** Whether a name was asked for before; from now on it was. */
  #wasAsked(name: string): boolean {
    if (this.#asked.has(name)) return true;
    if (this.#asked.size >= maxAsked) this.#asked.clear();
    if (name.length <= maxName) this.#asked.add(name);
    return false;
  }

  #keep(name: string, answer: Answer, body: string, { until }: Lasting): void {
    if (name.length > maxName || body.length > maxLength || this.#answers.has(name)) return;
    const kept: Kept = { answer, until, bytes: overhead + 2 * name.length + 2 * body.length };
    // A short text is sent fastest with the head, as one text.
    if (body.length >= minCompressed) {
      const forms = new KeptBody(body, (bytes) => this.#grow(name, kept, bytes));
      const { body: _, ...rest } = answer;
      kept.answer = { ...rest, kept: forms };
      kept.bytes = overhead + 2 * name.length + forms.plain.length;
    }
    this.#answers.set(name, kept);
    this.#count(kept.bytes);
  }

  /** Counts a compressed form of an answer, unless the answer was dropped before it was made. */
  #grow(name: string, kept: Kept, bytes: number): void {
    if (this.#answers.get(name) !== kept) return;
    kept.bytes += bytes;
    this.#count(bytes);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    for (const [name, oldest] of this.#answers) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#answers.delete(name);
      this.#bytes -= oldest.bytes;
    }
  }

  /** Drops everything if something was written since. @returns the number of the last commit */
  #refresh(): number {
    const commit = this.#lastCommit();
    if (commit !== this.#commit) {
      this.#answers.clear();
      this.#bytes = 0;
      this.#commit = commit;
    }
    return commit;
  }
}
