/** The accepted image formats, by sharp's names. */
export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif';
export type ImageType = `image/${ImageFormat}`;

interface FormatFacts {
  extension: string;
  /** True for the first bytes of a file of this format. */
  begins(head: Buffer): boolean;
}

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

export const imageFormats: Readonly<Record<ImageFormat, FormatFacts>> = {
  jpeg: { extension: 'jpg', begins: (head) => head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff },
  png: { extension: 'png', begins: (head) => head.subarray(0, 8).equals(pngSignature) },
  webp: {
    extension: 'webp',
    begins: (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP',
  },
  gif: { extension: 'gif', begins: (head) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6)) },
};

const names = Object.keys(imageFormats) as ImageFormat[];

export const imageTypes: readonly ImageType[] = names.map(typeOf);

export function typeOf(format: ImageFormat): ImageType {
  return `image/${format}`;
}

export function extensionOf(type: ImageType): string {
  return imageFormats[type.slice('image/'.length) as ImageFormat].extension;
}

/** The type under which a file with this extension is served; undefined for an extension that is never stored. */
export function typeOfExtension(extension: string): ImageType | undefined {
  const format = names.find((name) => imageFormats[name].extension === extension);
  return format && typeOf(format);
}

/** Bytes needed to recognize a format. */
export const headLength = 12;

/** The format of a file by its first bytes; undefined for HTML, SVG, scripts, archives, PDF and all others. */
export function formatOf(head: Buffer): ImageFormat | undefined {
  return names.find((name) => imageFormats[name].begins(head));
}

/** Formats that are converted on arrival instead of stored, if the decoder reads them. */
export type ConvertedFormat = 'avif' | 'heic';

/** The brands of a file in either format, after its first box. */
const brands: Readonly<Record<ConvertedFormat, readonly string[]>> = {
  avif: ['avif', 'avis'],
  heic: ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1'],
};

/** The format of a file that must be converted, by its first bytes; undefined for all others. */
export function convertedFormatOf(head: Buffer): ConvertedFormat | undefined {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return undefined;
  const brand = head.toString('latin1', 8, 12);
  return (Object.keys(brands) as ConvertedFormat[]).find((format) => brands[format].includes(brand));
}

/** The type of an image that can be uploaded, by the first bytes of its file; undefined for all others. */
export function uploadTypeOf(head: Buffer): string | undefined {
  const format = formatOf(head) ?? convertedFormatOf(head);
  return format && `image/${format}`;
}

/** Other names that programs use for the types. */
const otherNames: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/jfif': 'image/jpeg',
  'image/heif': 'image/heic',
};

/** A type by its usual name. */
export function usualType(type: string): string {
  return otherNames[type.toLowerCase()] ?? type;
}
