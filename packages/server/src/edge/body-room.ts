/** The bytes that one body takes. */
export interface BodyHold {
  /** @param cut ends the reading of it, because others need the room */
  begin(cut: () => void): void;
  /** Takes so many bytes more. @returns whether there was room; where not, the body was cut */
  grow(bytes: number): boolean;
  /** All of it is here: from now on it is not cut. */
  end(): void;
  /** Gives back what it took. */
  release(): void;
}

/**
 * How much the bodies of requests hold together, those that are on their way and those that are worked on. Where there is no more room,
 * the one ends that has been on its way for longest: a client that is served has sent its body by then.
 */
export class BodyRoom {
  readonly #max: number;
  #held = 0;
  /** What ends those on their way, in the order in which they began. */
  readonly #arriving = new Set<() => void>();

  constructor(max: number) {
    this.#max = max;
  }

  open(): BodyHold {
    let bytes = 0;
    let cutThis: (() => void) | undefined;
    const release = () => {
      if (cutThis) this.#arriving.delete(cutThis);
      cutThis = undefined;
      this.#held -= bytes;
      bytes = 0;
    };
    return {
      begin: (cut) => {
        cutThis = () => {
          release();
          cut();
        };
        this.#arriving.add(cutThis);
      },
      grow: (more) => {
        bytes += more;
        this.#held += more;
        while (this.#held > this.#max && this.#arriving.size > 0) {
          const [oldest] = this.#arriving;
          oldest?.();
        }
        return cutThis !== undefined;
      },
      end: () => {
        if (cutThis) this.#arriving.delete(cutThis);
      },
      release,
    };
  }
}
