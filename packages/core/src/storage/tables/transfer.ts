/** An import with its progress. */
export interface ImportTable {
  store_id: string;
  id: string;
  resource: string;
  status: string;
  /** Digest of the file and the options: the same command continues an interrupted import. */
  fingerprint: string;
  /**
   * The id, if the file came over HTTP: the file has that name in the import folder of the machine that received it. Never used as a path,
   * because a restored backup from another source can contain anything.
   */
  file: string | null;
  /** The process that works on it. */
  owner: string | null;
  /** JSON of the actor that started it. */
  actor: string;
  /** JSON of `ImportOptions`. */
  options: string;
  /** Completed rows of the file, including refused ones. */
  done: number;
  /** Line at which the last of them begins. */
  last_line: number;
  created_at: number;
  updated_at: number;
  json: string;
}

/** An image that was fetched from an address. */
export interface ImportImageTable {
  store_id: string;
  /** Digest of the address. */
  address: string;
  media_id: string;
}
