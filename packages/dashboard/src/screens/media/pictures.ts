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
/** Ids of the next request, the newest last. */
let waiting: string[] = [];
/** Ids per request. Older ones have scrolled away, and are not loaded. */
const maxIds = 200;
let isAsking = false;

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
    for (const dropped of waiting.splice(0, Math.max(0, waiting.length - maxIds))) known.delete(dropped);
    // The other pictures of this screen are asked for in the same rendering.
    if (waiting.length === 1) queueMicrotask(() => void look());
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

/** Loads all waiting pictures with one request at a time. */
async function look(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  while (waiting.length > 0) {
    const asked = waiting.splice(0).flatMap((id) => {
      const picture = known.get(id);
      return picture && picture.peek() === undefined ? [{ id, picture }] : [];
    });
    if (asked.length === 0) continue;
    const query = { ids: asked.map(({ id }) => id).join() };
    try {
      const { items } = await had(api.GET('/stores/{storeId}/media', { params: { path: at(), query } }));
      const found = new Map(items.map((media) => [media.id, media]));
      for (const { id, picture } of asked) picture.value = found.get(id) ?? null;
    } catch {
      // Shown as missing for now; loaded again with the next visit of the screen.
      for (const { id, picture } of asked) {
        picture.value = null;
        if (known.get(id) === picture) known.delete(id);
      }
    }
  }
  isAsking = false;
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
