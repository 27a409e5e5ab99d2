import { hash } from 'node:crypto';
import type { TxContext } from '../engine/context.ts';
import { CommerceError, quote } from '../kernel/errors.ts';

/** The version of a resource, from the text of its answer; any change of the text gives another version. */
export function versionOf(json: string): string {
  return hash('sha256', json, 'base64url').slice(0, 27);
}

/**
 * Checks that a change was made from the version that the caller expects (`Context.expected`). The resource must be locked already, so that
 * no other change comes between.
 * @param json the resource as it is answered
 * @throws CommerceError `conflict` when the resource has another version now
 */
export function requireVersion(tx: TxContext, id: string, json: () => string): void {
  const { expected } = tx;
  if (expected?.id !== id) return;
  const version = versionOf(json());
  if (expected.versions.includes(version)) return;
  const wanted = expected.versions.map((wanted) => quote(wanted)).join(', ');
  throw new CommerceError(
    'conflict',
    `it has changed: its version is now ${quote(version)}, not ${wanted}; get it again and check whether the change still applies`,
    { reason: 'stale' },
  );
}
