import { CommerceError } from '@commerce/core';
import { hintFor } from './hints.ts';

/** An error as one line for a person, with the command that helps. Faults of our own keep their stack: somebody has to find them. */
export function describeError(error: unknown): string {
  if (error instanceof CommerceError) {
    const rest = error.details.slice(1).map(({ field, reason }) => `${field}: ${reason}`);
    const lines = [error.message.replace(/ \(and \d+ more\)$/, ''), ...rest];
    // An operator, unlike a client, may be told what exactly failed.
    if (error.kind === 'unavailable' && error.cause instanceof Error && !error.message.includes(error.cause.message)) {
      lines.push(reasonOf(error.cause));
    }
    const hint = hintFor(error.message);
    if (hint !== undefined) lines.push(hint);
    return oneLine(lines.join('; '));
  }
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  if (code !== undefined && message !== undefined) return oneLine(message);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Node gives a failed connection to several addresses an empty message and a code. */
function reasonOf(cause: Error & { code?: string }): string {
  return cause.message || (cause.code ?? cause.name);
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}
