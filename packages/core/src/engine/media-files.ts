import type { Readable } from 'node:stream';

/**
 * Storage of media files: the interface between the store and a folder, a bucket, or anything else that holds files. A name consists of our
 * own ids, `<store id>/<media id>.<ext>` or `<store id>/<media id>-<variant>.<ext>`. No part of it comes from a client. The content under a
 * name never changes.
 */
export interface MediaFiles {
  /** A directory on this machine in which files are collected before `put`; created on first use. */
  readonly staging: string;
  /**
   * Moves a file from `staging` to its name. The file appears completely or not at all, and survives a power cut once this has resolved.
   */
  put(name: string, stagedFile: string): Promise<void>;
  /** Undefined if the file does not exist. */
  open(name: string): Promise<KeptFile | undefined>;
  /** Removes files; missing ones count as removed. */
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
   * The bytes, all or a part. Destroying the stream releases its resources.
   * @throws CommerceError `notFound` if the file has been removed in the meantime
   */
  read(range?: ByteRange): Promise<Readable>;
}

/** The bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** The storage of media files and the base of their URLs. */
export interface MediaPlace {
  /** Undefined if none is configured: media can be listed, but files are neither stored nor served. */
  readonly files: MediaFiles | undefined;
  /** Without a trailing slash. */
  url(): string;
}
