import { hash } from 'node:crypto';
import type { Context } from '../engine/context.ts';
import { CommerceError } from '../kernel/errors.ts';
import { FairQueue } from '../kernel/fair-queue.ts';
import { isId } from '../kernel/ids.ts';
import { parseWebAddress } from '../kernel/url.ts';
import { DecoderKilled } from '../media/decoders.ts';
import { uploadLimits } from '../media/fields.ts';
import { uploadTypeOf } from '../media/formats.ts';
import { createMedia, updateMedia } from '../media/media.ts';
import { callOutbound, type OutboundAnswer } from '../network/outbound.ts';
import { preparedPerLength } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import { type ImageAddress, type Problem, problem, type Row } from './files/rows.ts';

/** Images fetched at once. */
const maxFetches = 4;

/** Milliseconds for one image, and the redirects followed to it. */
const fetchTime = 30_000;
const maxRedirects = 3;

/** Maximum number of failed addresses that are remembered, so that each is tried once. */
const maxFailures = 10_000;

const knownImages = preparedPerLength<{ storeId: string }, { address: string; media_id: string }>((db, p, addresses) =>
  db
    .selectFrom('import_images')
    .innerJoin('media', (join) =>
      join.onRef('media.store_id', '=', 'import_images.store_id').onRef('media.id', '=', 'import_images.media_id'),
    )
    .select(['import_images.address', 'import_images.media_id'])
    .where('import_images.store_id', '=', p('storeId'))
    .where('import_images.address', 'in', addresses),
);

const ownMedia = preparedPerLength<{ storeId: string }, { id: string }>((db, p, ids) =>
  db.selectFrom('media').select('id').where('store_id', '=', p('storeId')).where('id', 'in', ids),
);

/** Finds the media of addresses, and fetches the missing ones. */
export class ImportImages {
  readonly #ctx: Context;
  readonly #isFetching: boolean;
  readonly #failures = new Map<string, string>();
  readonly #turns = new FairQueue({ atOnce: maxFetches });
  fetched = 0;

  constructor(ctx: Context, isFetching: boolean) {
    this.#ctx = ctx;
    this.#isFetching = isFetching;
  }

  /** @returns the media by address; for addresses that were tried without success, the reason */
  async resolve(
    addresses: readonly ImageAddress[],
  ): Promise<{ media: Map<string, string>; failures: Map<string, string> }> {
    const media = new Map<string, string>();
    const failures = new Map<string, string>();
    const wanted = new Map(addresses.map((image) => [image.url, image]));
    await this.#findOwn([...wanted.keys()], media);
    await this.#findKnown([...wanted.keys()], media);
    if (!this.#isFetching) return { media, failures };
    const missing = [...wanted.values()].filter(({ url }) => !media.has(url));
    await Promise.all(
      missing.map((image) =>
        this.#turns.run('fetches', async () => {
          const known = this.#failures.get(image.url);
          if (known !== undefined) {
            failures.set(image.url, known);
            return;
          }
          try {
            // A second time, because the reason can be another image, or another program.
            const id = await this.#download(image).catch((error) => {
              if (isKilled(error)) return this.#download(image);
              throw error;
            });
            media.set(image.url, id);
            this.fetched++;
          } catch (error) {
            // An image for which the memory does not suffice would end the import each time that it is continued.
            if (error instanceof CommerceError && error.kind === 'unavailable' && !isKilled(error)) throw error;
            const reason = error instanceof Error ? error.message : String(error);
            failures.set(image.url, reason);
            if (this.#failures.size < maxFailures) this.#failures.set(image.url, reason);
          }
        }),
      ),
    );
    return { media, failures };
  }

  /** Finds media by addresses of this store's own files. */
  async #findOwn(addresses: readonly string[], media: Map<string, string>): Promise<void> {
    const ids = new Map<string, string[]>();
    for (const address of addresses) {
      const [, store, id] = /\/([0-9a-f-]{36})\/([0-9a-f-]{36})\.\w+$/.exec(address) ?? [];
      if (store === this.#ctx.store.id && id && isId(id)) ids.set(id, [...(ids.get(id) ?? []), address]);
    }
    for (const some of inParts([...ids.keys()])) {
      const found = await reading(this.#ctx.engine.storage, (db) =>
        ownMedia(db, { storeId: this.#ctx.store.id }, some),
      );
      for (const { id } of found) for (const address of ids.get(id) ?? []) media.set(address, id);
    }
  }

  async #findKnown(addresses: readonly string[], media: Map<string, string>): Promise<void> {
    const byDigest = new Map(
      addresses.filter((address) => !media.has(address)).map((address) => [digestOf(address), address]),
    );
    for (const some of inParts([...byDigest.keys()])) {
      const found = await reading(this.#ctx.engine.storage, (db) =>
        knownImages(db, { storeId: this.#ctx.store.id }, some),
      );
      for (const { address, media_id } of found) media.set(byDigest.get(address) ?? '', media_id);
    }
  }

  /** Fetches an image and stores it, noting its address in the same transaction. */
  async #download({ url, altText }: ImageAddress): Promise<string> {
    const ctx = this.#ctx;
    const { body } = await followRedirects(ctx, url);
    if (body.length > uploadLimits.fileBytes) throw new Error(`it has more than ${uploadLimits.fileBytes} bytes`);
    const mimeType = uploadTypeOf(body);
    if (!mimeType) throw new Error('it is not a JPEG, PNG, WebP, GIF or AVIF');
    const fileName = new URL(url).pathname.split('/').at(-1) || 'image';
    const upload = { fileName, mimeType, content: contentOf(body) };
    const [stored] = await createMedia(ctx, [upload], async (tx, media) => {
      const address = digestOf(url);
      const media_id = media[0]?.id ?? '';
      await tx.db
        .insertInto('import_images')
        .values({ store_id: tx.store.id, address, media_id })
        .onConflict((conflict) => conflict.columns(['store_id', 'address']).doUpdateSet({ media_id }))
        .execute();
    });
    if (!stored) throw new Error('it was not stored');
    if (altText) await updateMedia(ctx, stored.id, { altText: [...altText].slice(0, 1000).join('') });
    return stored.id;
  }
}

function isKilled(error: unknown): boolean {
  return error instanceof CommerceError && error.cause instanceof DecoderKilled;
}

/**
 * Finds the media of the rows' addresses, and adds them to each row.
 * @returns warnings about images that could not be fetched, and the number of addresses without media
 */
export async function findImages(
  images: ImportImages,
  rows: readonly Row[],
): Promise<{ warnings: Problem[]; left: number }> {
  const wanted: ImageAddress[] = [];
  for (const { images, primaryImage, seoImage } of rows) {
    for (const url of [primaryImage, seoImage]) if (url) wanted.push({ url });
    wanted.push(...(images ?? []));
  }
  const { media, failures } = await images.resolve(wanted);
  const warnings: Problem[] = [];
  let left = 0;
  for (const row of rows) {
    const { images, primaryImage, seoImage } = row;
    if (images === undefined && primaryImage === undefined && seoImage === undefined) continue;
    const all = new Set([...(images ?? []).map(({ url }) => url), primaryImage, seoImage].filter((url) => url != null));
    for (const url of all) {
      const reason = failures.get(url);
      if (reason === undefined) continue;
      const column = row.columns.mediaIds ?? 'images';
      warnings.push(problem(row.line, column, url, `the image could not be fetched: ${reason}`));
    }
    const without = [...all].filter((url) => !media.has(url)).length;
    left += without;
    const fields: Record<string, unknown> = {};
    const mediaOf = (url: string | null) => (url === null ? null : (media.get(url) ?? null));
    if (images) fields.mediaIds = images.flatMap(({ url }) => media.get(url) ?? []);
    if (primaryImage !== undefined) fields.primaryMediaId = mediaOf(primaryImage);
    if (seoImage !== undefined) fields.seoImageId = mediaOf(seoImage);
    row.found = { fields, isWhole: without === 0 };
  }
  return { warnings, left };
}

async function* contentOf(body: Buffer): AsyncGenerator<Uint8Array> {
  yield body;
}

async function followRedirects(ctx: Context, address: string): Promise<OutboundAnswer> {
  let url = address;
  for (let redirects = 0; ; redirects++) {
    if (!parseWebAddress(url)) throw new Error('it is not an http or https address');
    const answer = await callOutbound({
      method: 'GET',
      url,
      headers: { accept: 'image/*', 'user-agent': 'Commerce' },
      body: undefined,
      timeout: fetchTime,
      maxAnswer: uploadLimits.fileBytes + 1,
      guard: ctx.engine.webhookGuard,
    });
    const { location } = answer.headers;
    if (answer.status >= 300 && answer.status < 400 && typeof location === 'string' && redirects < maxRedirects) {
      url = new URL(location, url).href;
      continue;
    }
    if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
    return answer;
  }
}

function digestOf(address: string): string {
  return hash('sha256', address, 'base64url');
}

function inParts<T>(all: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let i = 0; i < all.length; i += 500) parts.push(all.slice(i, i + 500));
  return parts;
}
