import type { CommerceError, ErrorDetail, Reason } from '@commerce/core';
import { type Command, CommanderError } from 'commander';
import { flagOf } from '../input/flags.ts';
import { shown } from '../output/print.ts';
import { painted } from '../output/terminal.ts';
import { UsageError } from '../usage-error.ts';
import { hintFor } from './hints.ts';

/** An error as it is reported: the exit code, and one line for a person. */
export interface Told {
  exitCode: 1 | 2;
  code: string;
  line: string;
  reason?: Reason | undefined;
  details: readonly ErrorDetail[];
}

/**
 * How to report an error. If the refused value came from a flag, the line names the flag and the exit code is 2. Our own bugs keep their
 * stack, so that they can be found.
 * @param command the command that ran
 */
export function tell(error: unknown, command?: Command): Told {
  if (error instanceof CommanderError || error instanceof UsageError) {
    return { exitCode: 2, code: 'VALIDATION_ERROR', line: oneLine(error.message.replace(/^error: /, '')), details: [] };
  }
  if (isCommerceError(error)) {
    const { code, reason, details } = error;
    const flags = details.map(({ field, reason }) => flagFor(command, field, reason));
    const isUsage = error.kind === 'validation' && flags.some((flag) => flag !== undefined);
    return { exitCode: isUsage ? 2 : 1, code, line: describeError(error, flags), reason, details };
  }
  const { code } = (error ?? {}) as { code?: string };
  return {
    exitCode: 1,
    code: code === undefined ? 'INTERNAL_ERROR' : 'UNAVAILABLE',
    line: describeError(error),
    details: [],
  };
}

/** Prints an error on standard error; with `--json`, in the envelope of the HTTP interface. */
export function printError({ code, line, reason: why, details }: Told, isJson: boolean): void {
  if (!isJson) {
    process.stderr.write(`${painted('error:', 'red', process.stderr)} ${line}\n`);
    return;
  }
  const shown = details.map(({ field, reason, code, limits }) => ({ field, reason, message: reason, code, limits }));
  const error = { code, message: line, ...(why && { reason: why }), ...(shown.length > 0 ? { details: shown } : {}) };
  process.stderr.write(`${JSON.stringify({ error })}\n`);
}

/** Checked by name: core may not be loaded yet when an error occurs. */
function isCommerceError(error: unknown): error is CommerceError {
  return error instanceof Error && error.name === 'CommerceError';
}

function flagFor(command: Command | undefined, field: string, reason: string): string | undefined {
  return command && flagOf(command, field, reason.startsWith('is required'));
}

/** An error as one line for a person, with the command that helps. */
export function describeError(error: unknown, flags: readonly (string | undefined)[] = []): string {
  if (isCommerceError(error)) {
    const named = error.details.map(({ field, reason }, i) => `${flags[i] ?? field}: ${reason}`);
    const [first, ...rest] = named;
    const opening = error.message.replace(/ \(and \d+ more\)$/, '');
    const [detail] = error.details;
    const isDetail = detail !== undefined && opening === `${detail.field}: ${detail.reason}`;
    // A conflict is a sentence that begins with the field.
    const [flag] = flags;
    const sentence =
      flag && detail && opening.startsWith(`${detail.field} `) ? opening.replace(detail.field, flag) : opening;
    const lines = [isDetail && first !== undefined ? first : sentence, ...rest];
    // Unlike a client, an operator can see what exactly failed.
    if (error.kind === 'unavailable' && error.cause instanceof Error && !error.message.includes(error.cause.message)) {
      lines.push(reasonOf(error.cause));
    }
    const hint = hintFor(error);
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

/** A message as one line without control characters: it can quote a file, a stored text, or a provider's answer. */
function oneLine(text: string): string {
  return shown(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(' '),
  );
}
