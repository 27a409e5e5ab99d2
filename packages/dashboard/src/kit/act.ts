import { toApiError } from '../api/errors.ts';
import { explain } from '../api/explain.ts';
import { confirm } from './dialog.tsx';
import { toast } from './toast.tsx';

/**
 * Runs the action of a button, and reports the result.
 * @returns whether it succeeded
 */
export async function act(run: () => Promise<unknown>, said?: string): Promise<boolean> {
  try {
    await run();
    if (said) toast(said);
    return true;
  } catch (thrown) {
    toast(explain(toApiError(thrown)).join('. '), { tone: 'bad' });
    return false;
  }
}

/** Asks first, and then runs it as `act` does. */
export async function actAfter(
  { title, text, yes, danger = true }: { title: string; text: string; yes: string; danger?: boolean },
  run: () => Promise<unknown>,
  said?: string,
): Promise<boolean> {
  return (await confirm(title, text, { yes, danger })) && act(run, said);
}
