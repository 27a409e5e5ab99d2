import type * as z from 'zod';
import { paging } from '../paging.ts';
import { fields, text } from '../parse.ts';
import type * as described from '../schemas/described.ts';
import type { ImageType } from './formats.ts';

/** An image as every interface answers it. */
export interface Media {
  id: string;
  storeId: string;
  /** Address of the file: `<cdn url>/<store id>/<id>.<extension>`. */
  url: string;
  mimeType: ImageType;
  /** Pixels as displayed, after the rotation noted by the camera. */
  width: number;
  height: number;
  /** Bytes. */
  fileSize: number;
  altText: string | null;
  createdAt: string;
  updatedAt: string;
}

/** Limits of an upload. The HTTP server limits the request as a whole. */
export const uploadLimits = {
  files: 10,
  fileBytes: 10 * 1024 * 1024,
  /** Pixels of one frame. */
  pixels: 40_000_000,
  /** Frames of an animation; more would cost a visitor's browser too much. */
  frames: 1000,
} as const;

/** One uploaded file. Its content is read once, as a stream, and never held in memory whole. */
export interface MediaUpload {
  /** The client's name for it, used in messages, never in a path. */
  fileName: string;
  /** The type stated by the client. */
  mimeType: string;
  content: AsyncIterable<Uint8Array>;
}

/** The only changeable field: a file never changes. */
export const MediaChangeFields = fields({ altText: text(1000).nullable() }).partial();
export type MediaChanges = described.MediaChanges & z.input<typeof MediaChangeFields>;

export const MediaQuery = fields({
  ...paging,
  /** Beginning of the type, such as `image/` or `image/png`. */
  mimeType: text(255).optional(),
});
export type MediaQueryInput = described.MediaQueryInput & z.input<typeof MediaQuery>;
