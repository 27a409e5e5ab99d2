/** The kinds of images that are taken; the name is sharp's. */
export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif';
export type ImageType = `image/${ImageFormat}`;

interface FormatFacts {
  extension: string;
  /** Whether a file begins as this format does. */
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

/** The type that a file with this extension is served as; undefined for one that is never kept. */
export function typeOfExtension(extension: string): ImageType | undefined {
  const format = names.find((name) => imageFormats[name].extension === extension);
  return format && typeOf(format);
}

/** How many bytes it takes to tell a format. */
export const headLength = 12;

/** The format of a file by its first bytes: HTML, SVG, scripts, archives and PDF begin as none of them. */
export function formatOf(head: Buffer): ImageFormat | undefined {
  return names.find((name) => imageFormats[name].begins(head));
}
