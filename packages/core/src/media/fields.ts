import type { z } from 'zod';
import { paging } from '../paging.ts';
import { fields, text } from '../parse.ts';
import type { ImageType } from './formats.ts';

/** An image as every interface answers it. */
export interface Media {
  id: string;
  storeId: string;
  /** Where a browser finds it: `<cdn url>/<store id>/<id>.<extension>`. */
  url: string;
  mimeType: ImageType;
  /** Pixels as they are shown, after the turn that the camera noted. */
  width: number;
  height: number;
  /** Bytes. */
  fileSize: number;
  altText: string | null;
  createdAt: string;
  updatedAt: string;
}

/** What an upload may hold. The request as a whole is limited by whoever takes it off the network. */
export const uploadLimits = {
  files: 10,
  fileBytes: 10 * 1024 * 1024,
  /** Of one frame. */
  pixels: 40_000_000,
  /** Of an animation; to walk through more of them costs a visitor's browser more than any picture is worth. */
  frames: 1000,
} as const;

/** One file to keep. Its content is read once, as it comes, and never held in memory whole. */
export interface MediaUpload {
  /** What the client calls it: for messages, never for a path. */
  fileName: string;
  /** What the client says it is. */
  mimeType: string;
  content: AsyncIterable<Uint8Array>;
}

/** The file cannot be changed, so there is one field that can. */
export const MediaChangeFields = fields({ altText: text(1000).nullable() }).partial();
export type MediaChanges = z.input<typeof MediaChangeFields>;

export const MediaQuery = fields({
  ...paging,
  /** What the type begins with, such as `image/` or `image/png`. */
  mimeType: text(255).optional(),
});
export type MediaQueryInput = z.input<typeof MediaQuery>;
