import type { Command } from 'commander';
import { shown } from '../output/print.ts';

/** Whether a person can be asked: standard input and the output of questions are both terminals. */
export function canAsk(): boolean {
  return Boolean(process.stdin.isTTY && process.stderr.isTTY);
}

/** The answer to a question on the terminal, without blanks around it. */
export async function ask(question: string): Promise<string> {
  // Few calls ask, and every start would pay for loading it.
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(question)).trim();
  } finally {
    lines.close();
  }
}

/** Refuses an irreversible action if there is no terminal to ask on and `--yes` is missing. */
export function requireConsent(options: { yes?: boolean }, command: Command): void {
  if (!options.yes && !canAsk()) command.error('error: this cannot be undone; confirm with --yes');
}

/**
 * Asks before an irreversible action, unless `--yes` is given.
 * @param what such as `delete product blue-mug`
 */
export async function confirm(options: { yes?: boolean }, what: string): Promise<void> {
  if (options.yes) return;
  const answer = await ask(`${shown(what)}? It cannot be undone. [y/N] `);
  if (!/^y(es)?$/i.test(answer)) throw Object.assign(new Error('nothing was changed'), { code: 'DECLINED' });
}
