import type { Flag } from '../flag.ts';

/** A mail: a row first, and sent later. */
export interface MailTable {
  store_id: string;
  id: string;
  /** One of `mailKinds`. */
  kind: string;
  status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
  /** The one address that it goes to; empty once its order was anonymised. */
  recipient: string;
  /** Language of the letter. */
  locale: string;
  order_id: string | null;
  withdrawal_id: string | null;
  /** Null until it is written out. */
  subject: string | null;
  /** JSON of the facts that the letter is written from, as they were when it was queued. */
  data: string;
  /** JSON of the letter as it is sent; null until it is written out, for the first attempt. */
  content: string | null;
  attempts: number;
  /** Time of the next attempt; null if none follows. */
  due_at: number | null;
  /** End of a process's claim; null if it is free. */
  locked_until: number | null;
  /** Time of the first attempt. */
  started_at: number | null;
  sent_at: number | null;
  /** JSON array of attempts. */
  log: string;
  /** The mail that it repeats. */
  resent_of: string | null;
  /** 1 until its texts are emptied. */
  has_text: Flag;
  created_at: number;
}

/** The shop's own text for a kind of mail in one language. */
export interface MailTemplateTable {
  store_id: string;
  /** One of `mailKinds`. */
  kind: string;
  locale: string;
  subject: string;
  text: string;
  updated_at: number;
}
