/** The brands of an AVIF and of a HEIC, after the first box of the file. */
const brands: Readonly<Record<string, readonly string[]>> = {
  'image/avif': ['avif', 'avis'],
  'image/heic': ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1'],
};

/** The type of an image by its bytes, as the service detects it; undefined for any other file. */
export async function typeOfImage(file: Blob): Promise<string | undefined> {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'image/webp';
  if (/^GIF8[79]a/.test(head)) return 'image/gif';
  if (head.slice(4, 8) !== 'ftyp') return undefined;
  return Object.keys(brands).find((type) => brands[type]?.includes(head.slice(8)));
}
