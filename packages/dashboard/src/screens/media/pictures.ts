import { effect, type Signal, signal } from '@preact/signals';
import { api, at, had } from '../../api/client.ts';
import { can, signIns } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { service } from '../../browser/places.ts';

export type Media = Schemas['Media'];

/** Pictures by their ids: undefined while one is loading, null if it does not exist. */
const known = new Map<string, Signal<Media | null | undefined>>();
/** Limit of cached pictures; the oldest are dropped. */
const maxKnown = 2000;
/** Ids to load, the newest last. The newest is loaded first, because it is visible. */
let waiting: string[] = [];
/** Pictures that have scrolled away are not loaded. */
const maxWaiting = 100;
let busy = 0;
const lanes = 4;

// Another key can see other pictures.
effect(() => {
  signIns.value;
  known.clear();
  waiting = [];
});

/** The picture of an id, loaded once; a signal, so that its readers render again. */
export function pictureOf(id: string): Signal<Media | null | undefined> {
  const old = known.get(id);
  if (old) return old;
  const made = signal<Media | null | undefined>(can('media.read') ? undefined : null);
  remember(id, made);
  if (made.peek() === undefined) {
    waiting.push(id);
    for (const dropped of waiting.splice(0, Math.max(0, waiting.length - maxWaiting))) known.delete(dropped);
    void look();
  }
  return made;
}

/** Stores a known picture, such as after its upload. */
export function keepPicture(media: Media): void {
  const old = known.get(media.id);
  if (old) old.value = media;
  else remember(media.id, signal<Media | null | undefined>(media));
}

function remember(id: string, picture: Signal<Media | null | undefined>): void {
  known.set(id, picture);
  if (known.size > maxKnown) known.delete(known.keys().next().value ?? '');
}

async function look(): Promise<void> {
  if (busy >= lanes) return;
  busy++;
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const picture = known.get(id);
    if (!picture || picture.peek() !== undefined) continue;
    try {
      picture.value = (await had(api.GET('/stores/{storeId}/media/{id}', { params: { path: at({ id }) } }))).item;
    } catch {
      // Shown as missing for now; loaded again with the next visit of the screen.
      picture.value = null;
      known.delete(id);
    }
  }
  busy--;
}

/** Loads pictures in one request, for a screen that knows all of them beforehand. */
export async function loadPictures(ids: readonly string[], signal: AbortSignal): Promise<void> {
  const wanted = [...new Set(ids)].filter((id) => !known.get(id)?.peek());
  if (wanted.length === 0 || !can('media.read')) return;
  const query = { ids: wanted.join() };
  const { items } = await had(api.GET('/stores/{storeId}/media', { params: { path: at(), query }, signal }));
  for (const media of items) keepPicture(media);
}

/** Address of a picture in a width that the service creates; without a width, of the file itself. */
export function addressOf({ url }: Media, width?: 160 | 320 | 640): string {
  const address = new URL(url, `${service}/`);
  if (width !== undefined) {
    address.searchParams.set('w', String(width));
    address.searchParams.set('format', 'webp');
  }
  return address.href;
}
