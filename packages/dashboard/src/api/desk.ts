import { signal } from '@preact/signals';
import { isLeftAlone } from '../browser/activity.ts';
import { api, at } from './client.ts';
import { type ApiError, errorOf, toApiError } from './errors.ts';
import { session } from './session.ts';
import type { Schemas } from './types.ts';

// The work that waits in the shop. One poller asks for it while the page is visible, and every screen reads it from here.

export type Desk = Schemas['Desk'];

/** The figures that are numbers; null without their scope. */
export type Waiting = Exclude<keyof Desk, 'newestOrderAt' | 'nextDisputeDueAt' | 'nextWithdrawalDueAt' | 'mailMissing'>;

/** The last answer; undefined until the first. */
export const desk = signal<Desk | undefined>(undefined);

/** Why there is no answer yet. */
export const deskError = signal<ApiError | undefined>(undefined);

/** Increased by every answer that differs from the one before, so that lists and figures load again. */
export const deskChanges = signal(0);

/** Milliseconds between two questions. */
const pause = 15_000;

/**
 * Asks for the desk every 15 seconds until it is stopped. A hidden page does not ask; it asks at once when it is shown again.
 * @param onNewOrder called when an order was placed since the last answer
 */
export function watchDesk(onNewOrder: () => void): () => void {
  const { storeId } = at();
  if (shownStore !== storeId) forgetDesk();
  shownStore = storeId;
  let etag: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const control = new AbortController();
  const { signal: stopped } = control;
  let isAsking = false;
  const ask = async () => {
    clearTimeout(timer);
    if (document.hidden || isAsking) return;
    // Otherwise a page that was left alone would keep the session of its user for ever.
    if (isLeftAlone()) {
      timer = setTimeout(ask, pause);
      return;
    }
    isAsking = true;
    try {
      const headers = etag ? { 'If-None-Match': etag } : {};
      const call = api.GET('/stores/{storeId}/desk', { params: { path: at() }, headers, signal: stopped });
      const { data, error, response } = await call;
      if (stopped.aborted) return;
      if (data) {
        etag = response.headers.get('ETag') ?? undefined;
        take(data.item, onNewOrder);
      } else if (response.status !== 304) throw errorOf(response, error);
    } catch (thrown) {
      if (!stopped.aborted && desk.value === undefined) deskError.value = toApiError(thrown);
    } finally {
      isAsking = false;
      if (!stopped.aborted) timer = setTimeout(ask, pause);
    }
  };
  const look = () => void ask();
  document.addEventListener('visibilitychange', look);
  addEventListener('online', look);
  askNow = look;
  void ask();
  return () => {
    control.abort();
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', look);
    removeEventListener('online', look);
    askNow = () => {};
    // A session that has ended keeps its screen below the sign-in; after signing out, nothing of the shop is left.
    if (session.value.state === 'out') forgetDesk();
  };
}

/** The store whose desk is shown. */
let shownStore: string | undefined;

function forgetDesk(): void {
  shownStore = undefined;
  desk.value = undefined;
  deskError.value = undefined;
}

let askNow = () => {};

/** Asks again before the pause is over, such as after a failure. */
export function askDesk(): void {
  deskError.value = undefined;
  askNow();
}

function take(next: Desk, onNewOrder: () => void): void {
  const before = desk.value;
  desk.value = next;
  deskError.value = undefined;
  if (before === undefined) return;
  deskChanges.value++;
  if (next.newestOrderAt !== null && next.newestOrderAt > (before.newestOrderAt ?? '')) onNewOrder();
}
