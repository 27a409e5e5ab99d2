import type { Context } from '../context.ts';
import { CommerceError, quote } from '../errors.ts';

/** A unique rule of the database in the words of the interface. */
export interface UniqueRule {
  field: string;
  value: unknown;
  /** What follows the value, such as "already exists on another product". */
  taken: string;
}

/**
 * Runs a write whose unique rules the database guards.
 * @param rules by `table.column`, the last column of the key
 * @throws CommerceError `conflict` on the field of the rule that the write breaks
 */
export async function refuseDuplicates<T>(
  ctx: Context,
  rules: Record<string, UniqueRule>,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const broken = ctx.engine.storage.uniqueViolation(error);
    const rule = broken === undefined ? undefined : rules[broken];
    if (!rule) throw error;
    const reason = `${quote(rule.value)} ${rule.taken}`;
    throw new CommerceError('conflict', `${rule.field} ${reason}`, {
      details: [{ field: rule.field, reason }],
      cause: error,
    });
  }
}
