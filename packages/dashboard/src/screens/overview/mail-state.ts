import type { Schemas } from '../../api/types.ts';

export type Newest = Pick<Schemas['Mail'], 'id' | 'createdAt' | 'resentOf'>;

/** How the mail of the shop is doing. */
export interface MailState {
  /** Whether a kind is on, and nothing can be sent. */
  isMissing: boolean;
  /** Mails of the last week that were not sent, and not sent again. */
  failed: number;
}

const week = 7 * 86_400_000;

/**
 * @param settings undefined if they may not be seen
 * @param newest the newest mails of any status, which tell what was sent again
 */
export function stateOf(
  settings: Schemas['Settings']['mail'] | undefined,
  failed: readonly Newest[],
  newest: readonly Newest[],
  now: number,
): MailState {
  const again = new Set(newest.map(({ resentOf }) => resentOf));
  const recent = failed.filter(({ id, createdAt }) => now - Date.parse(createdAt) < week && !again.has(id));
  const isOn = settings !== undefined && Object.values(settings.kinds).some((on) => on);
  return { isMissing: isOn && (settings.from === null || settings.smtp === null), failed: recent.length };
}
