/** Bytes held for one body. */
export interface BodyHold {
  /** @param cut ends the reading of the body when others need the room */
  begin(cut: () => void): void;
  /** Takes more bytes. @returns false without room; the body was then cut */
  grow(bytes: number): boolean;
  /** Marks the body as complete; it is no longer cut. */
  end(): void;
  /** Gives the bytes back. */
  release(): void;
}

/**
 * Bytes held by the bodies of all requests, arriving and complete. When the room is full, the body that has been arriving for longest is
 * cut: an honest client has sent its body by then.
 */
export class BodyRoom {
  readonly #max: number;
  #held = 0;
  /** Functions that cut the arriving bodies, in the order in which they began. */
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
