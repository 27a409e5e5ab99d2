/** The change from one number to another, in thousandths of the first. Undefined from 0, of which nothing is a part. */
export function changeOf(before: bigint, now: bigint): number | undefined {
  if (before <= 0n) return undefined;
  return Number(((now - before) * 1000n) / before);
}

/** The average of orders in minor units, half a unit rounded up; 0 without an order. */
export function averageOf(gross: bigint, orders: number): bigint {
  if (orders === 0) return 0n;
  const count = BigInt(orders);
  return (2n * gross + count) / (2n * count);
}
