import { CommerceError } from '@commerce/core';

/** An error as one line for a person. Faults of our own keep their stack: somebody has to find them. */
export function describeError(error: unknown): string {
  if (error instanceof CommerceError) {
    const rest = error.details.slice(1).map(({ field, reason }) => `${field}: ${reason}`);
    return oneLine([error.message.replace(/ \(and \d+ more\)$/, ''), ...rest].join('; '));
  }
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  if (code !== undefined && message !== undefined) return oneLine(message);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}
