import type { Readable } from 'node:stream';

/**
 * Where the files of media are kept: the seam between the store and a folder, a bucket, or whatever else holds files. A name
 * is made of ids of ours, `<store id>/<media id>.<ext>` or `<store id>/<media id>-<variant>.<ext>`, and nothing in it comes
 * from a client. What lies under a name never changes.
 */
export interface MediaFiles {
  /** A directory of this machine in which files are collected before they are kept; made by whoever first needs it. */
  readonly staging: string;
  /**
   * Keeps a file that lies in `staging`, from where it is gone then. It is there whole or not at all, and once this has
   * resolved a power cut does not take it away.
   */
  put(name: string, stagedFile: string): Promise<void>;
  /** Undefined when there is no such file. */
  open(name: string): Promise<KeptFile | undefined>;
  /** Removes files; one that is not there counts as removed. */
  remove(names: readonly string[]): Promise<void>;
  /** The files of one store, in any order. */
  list(storeId: string): AsyncIterable<ListedFile>;
}

export interface FileFacts {
  size: number;
  /** Milliseconds since 1970. */
  modifiedAt: number;
}

export interface ListedFile extends FileFacts {
  name: string;
}

export interface KeptFile extends FileFacts {
  /**
   * The bytes, all or a part. Destroying the stream gives back what it holds.
   * @throws CommerceError `notFound` when the file was removed meanwhile.
   */
  read(range?: ByteRange): Promise<Readable>;
}

/** From the byte `start` to the byte `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Where the files are and what their addresses begin with. */
export interface MediaPlace {
  /** Undefined where none was configured: the resource is there, its files are not. */
  readonly files: MediaFiles | undefined;
  /** Without a slash at the end. */
  url(): string;
}
