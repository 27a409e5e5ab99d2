/** A letter before it is printed as text and as HTML. Texts are plain. */
export type Block =
  | { kind: 'heading'; text: string; level: 1 | 2 }
  /** `isLinked`: addresses in it become links, for texts of the shop. */
  | { kind: 'paragraph'; text: string; isLinked?: boolean; isSmall?: boolean }
  /** Words of another person, or of the shop, that are set apart. */
  | { kind: 'note'; text: string; isLinked?: boolean }
  | Goods
  | { kind: 'totals'; rows: readonly { label: string; amount: string; isTotal?: boolean }[] }
  | { kind: 'address'; label: string; lines: readonly string[] }
  | { kind: 'button'; label: string; url: string; isQuiet?: boolean }
  | { kind: 'facts'; rows: readonly Fact[] };

export interface Fact {
  label: string;
  value: string;
}

export interface Goods {
  kind: 'goods';
  /** Heads of the columns. */
  heads: { item: string; quantity: string; amount: string | null };
  rows: readonly GoodsRow[];
  /** True if the quantities are pieces in stock. The text form then writes them last. */
  isStock?: boolean;
  /** Says how many rows were left out. */
  more(count: number): string;
}

export interface GoodsRow {
  title: string;
  details: readonly string[];
  quantity: string;
  /** Null if the table has no amounts. */
  amount: string | null;
}

/** What surrounds the blocks of each letter. */
export interface Frame {
  /** Language of the wording. */
  language: string;
  direction: 'ltr' | 'rtl';
  /** What follows a label. */
  colon: string;
  subject: string;
  shopName: string;
  logoUrl: string | null;
  /** The seller's lines, then the shop's. */
  foot: { lines: readonly string[]; text: string | null };
}
