import { expect, it } from 'vitest';
import { typeOfImage } from './image-type.ts';

const avif = '\0\0\0\x1cftypavif\0\0';

it.each([
  ['\xff\xd8\xff\xe0 JFIF', 'image/jpeg'],
  ['\x89PNG\r\n\x1a\n\0\0\0\r', 'image/png'],
  ['RIFF\x01\n\0\0WEBPVP8 ', 'image/webp'],
  ['GIF89a', 'image/gif'],
  [avif, 'image/avif'],
  [avif.replace('avif', 'heic'), 'image/heic'],
  [avif.replace('avif', 'mp42'), undefined],
  ['<svg/>', undefined],
  ['', undefined],
])('a file that begins with %j is %s, whatever its name says', async (head, type) => {
  const file = new File([Uint8Array.from(head, (sign) => sign.charCodeAt(0))], 'a.jpg', { type: 'image/jpeg' });
  expect(await typeOfImage(file)).toBe(type);
});
