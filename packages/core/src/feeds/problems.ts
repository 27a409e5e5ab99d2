/** Why a product is left out of the feeds, and what is wrong with one that is in them. */
export const leavingOut = ['NO_LINK', 'LINK_TOO_LONG', 'NO_IMAGE', 'IMAGE_TOO_SMALL', 'NO_PRICE', 'NO_BRAND'] as const;
export const warnings = ['NO_DESCRIPTION', 'BARCODE_NOT_GTIN', 'NO_SHIPPING', 'VALUE_NOT_TAKEN'] as const;

export type FeedProblemCode = (typeof leavingOut)[number] | (typeof warnings)[number];

export const feedProblemCodes: readonly FeedProblemCode[] = [...leavingOut, ...warnings];

export interface FeedProblem {
  code: FeedProblemCode;
  /** The field of the product, or the column of the feed. */
  field: string;
  message: string;
}

const left: ReadonlySet<string> = new Set(leavingOut);

/** True if a product with this problem is not in the feeds. */
export function leavesOut({ code }: FeedProblem): boolean {
  return left.has(code);
}
