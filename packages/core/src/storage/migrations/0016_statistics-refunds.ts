/** A row of `payment_refunds`, with amounts in minor units. */
export interface LedgerRow {
  refund_id: string;
  origin: string;
  named: number;
  amount: number;
  status: string;
  told_at: number | null;
  recorded_at: number;
  status_since: number;
}

const matchWithin = 3_600_000;

/** The refunds of a ledger that count, oldest first, as they were counted when this migration was written. */
export function refundsOfLedger(rows: readonly LedgerRow[]): LedgerRow[] {
  const matches = matchesOf(rows);
  const matched = new Set(matches.values());
  const single = rows.filter((row) => row.origin !== 'total' && !matches.has(row));
  const counted = single.filter((row) => row.status === 'completed' || (row.status === 'pending' && matched.has(row)));
  let beyond: LedgerRow | undefined;
  for (const total of rows) {
    if (total.origin !== 'total') continue;
    const included = single.filter((row) => !failedBefore(row, total));
    const amount = total.amount - included.reduce((sum, row) => sum + row.amount, 0);
    if (amount > (beyond?.amount ?? 0)) beyond = { ...total, amount };
  }
  return (beyond ? [...counted, beyond] : counted).sort(byTime);
}

function matchesOf(rows: readonly LedgerRow[]): Map<LedgerRow, LedgerRow> {
  const matches = new Map<LedgerRow, LedgerRow>();
  const own = rows.filter((row) => row.origin === 'shop' && row.named === 0).sort(byTime);
  const reported = rows
    .filter((row) => row.origin === 'provider')
    .sort((a, b) => likelihood(a) - likelihood(b) || byTime(a, b));
  for (const row of reported) {
    const match = own.find((one) => !matches.has(one) && isOne(one, row));
    if (match) matches.set(match, row);
  }
  return matches;
}

function isOne(own: LedgerRow, reported: LedgerRow): boolean {
  if (own.amount !== reported.amount || Math.abs(own.recorded_at - reported.recorded_at) > matchWithin) return false;
  return reported.status !== 'failed' || own.recorded_at <= reported.status_since;
}

function likelihood({ status }: LedgerRow): number {
  return status === 'completed' ? 0 : status === 'pending' ? 1 : 2;
}

function byTime(a: LedgerRow, b: LedgerRow): number {
  return a.recorded_at - b.recorded_at;
}

function failedBefore(row: LedgerRow, total: LedgerRow): boolean {
  return row.status === 'failed' && row.told_at !== null && total.told_at !== null && row.told_at < total.told_at;
}
