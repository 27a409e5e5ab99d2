/** An import, with how far it has come. */
export interface ImportTable {
  store_id: string;
  id: string;
  resource: string;
  status: string;
  /** Digest of the file and the options: the same command goes on where it was interrupted. */
  fingerprint: string;
  /**
   * The id, if the file came over HTTP: it is kept under that name in the folder of imports of the machine that received it. Never
   * used as a path: a backup of somebody else may say anything here.
   */
  file: string | null;
  /** The process that works on it. */
  owner: string | null;
  /** JSON of who started it. */
  actor: string;
  /** JSON of `ImportOptions`. */
  options: string;
  /** Rows of the file that are done with, refused ones among them. */
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
