import type * as z from 'zod';
import { fields, oneOf, parse } from '../kernel/parse.ts';
import { extensionOf, type ImageType } from './formats.ts';

/** The available widths. They are few, so an attacker cannot fill the storage by counting up. */
export const variantWidths = ['64', '160', '320', '640', '960', '1280', '1920'] as const;
export const variantFormats = ['webp', 'jpeg', 'png'] as const;
export type VariantFormat = (typeof variantFormats)[number];

export const VariantQuery = fields({
  /** The width in pixels; a narrower image is not widened. */
  w: oneOf(variantWidths).describe('The width in pixels; a narrower image is not widened.'),
  /** The format, if different from that of the file. */
  format: oneOf(variantFormats).describe('The format, if different from that of the file.'),
}).partial();
/** The query of a file's address: a width, a format, both, or neither for the uploaded file. */
export type VariantInput = z.input<typeof VariantQuery>;

export interface Variant {
  /** Pixels; undefined for the original width. */
  width: number | undefined;
  format: VariantFormat;
}

/** @throws CommerceError `validation` for an unavailable width or format. */
export function parseVariant(input: VariantInput, original: ImageType): Variant | undefined {
  const { w, format } = parse(VariantQuery, input);
  if (w === undefined && format === undefined) return undefined;
  return { width: w === undefined ? undefined : Number(w), format: format ?? formatFor(original) };
}

/** The format of a variant without a stated one; for a GIF it is PNG, which keeps its colours and sharp edges. */
function formatFor(original: ImageType): VariantFormat {
  return variantFormats.find((format) => original === `image/${format}`) ?? 'png';
}

export function originalName(storeId: string, id: string, type: ImageType): string {
  return `${storeId}/${id}.${extensionOf(type)}`;
}

export function variantName(storeId: string, id: string, { width, format }: Variant): string {
  return `${storeId}/${id}-${width ?? 'full'}.${extensionOf(`image/${format}`)}`;
}

/** The names of all possible variants of an image. */
export function variantNames(storeId: string, id: string): string[] {
  const widths = [undefined, ...variantWidths.map(Number)];
  return widths.flatMap((width) => variantFormats.map((format) => variantName(storeId, id, { width, format })));
}

const namePattern = /^[0-9a-f-]{36}\/([0-9a-f-]{36})(?:-\w+)?\.\w+$/;

/** The media id in the name of a file, original or variant; undefined for a file that is not ours. */
export function idOfName(name: string): string | undefined {
  return namePattern.exec(name)?.[1];
}
