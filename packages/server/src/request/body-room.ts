/** Bytes held for one body. */
export interface BodyHold {
  /** @param cut ends the reading of the body, because others need the room */
  begin(cut: () => void): void;
  /** Takes more bytes. @returns whether there was room; without it the body was cut */
  grow(bytes: number): boolean;
  /** The body is complete and is no longer cut. */
  end(): void;
  /** Gives the bytes back. */
  release(): void;
}

/**
 * Bytes that the bodies of requests hold together, both arriving and complete ones. When the room is full, the body ends that has been
 * arriving for longest: an honest client has sent its body by then.
 */
export class BodyRoom {
  readonly #max: number;
  #held = 0;
  /** Ends the arriving bodies, in the order in which they began. */
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
