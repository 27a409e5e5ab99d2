import { type Context, createMedia, type MediaUpload } from '@commerce/core';
import {
  type Format,
  formats,
  gifOfFrames,
  impostors,
  jpegOfScans,
  picture,
  pngChunk,
  pngClaiming,
  pngSignature,
  upload,
  uploadOf,
} from '@commerce/test-support/fixtures/media-images';
import { folderPlace } from '@commerce/test-support/fixtures/media-places';
import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';

forEachStorage('accepted images', (database) => {
  const place = folderPlace();
  const commerce = useCommerce(database, { media: { files: place.files(), url: 'https://cdn.example.com' } });
  let shop: Context;
  beforeAll(async () => {
    shop = await newShop(commerce());
  });

  /** Expects a refusal with one detail for each message, and no row, event, file or staged file. */
  async function expectRefused(uploads: MediaUpload[], ...reasons: RegExp[]): Promise<void> {
    const before = await place.kept(shop.store.id);
    const fields = reasons.map(() => 'files');
    let details: readonly { reason: string }[] = [];
    const work = () =>
      createMedia(shop, uploads).catch((error) => {
        details = error.details;
        throw error;
      });
    await expectDenied(commerce(), work, {
      kind: 'validation',
      fields,
      ...(reasons[0] ? { message: reasons[0] } : {}),
    });
    expect(details.map(({ reason }) => reason)).toEqual(reasons.map((reason) => expect.stringMatching(reason)));
    expect(await place.kept(shop.store.id)).toEqual(before);
    expect(await place.staged()).toEqual([]);
  }

  async function expectTaken(upload: MediaUpload, facts: object): Promise<void> {
    const [media] = await createMedia(shop, [upload]);
    expect(media).toMatchObject(facts);
    expect(await place.staged()).toEqual([]);
  }

  describe('the number and size of files', () => {
    const small = async (n: number) => {
      const content = await picture('gif');
      return Array.from({ length: n }, (_, i) => uploadOf('gif', content, `${i}.gif`));
    };

    it('is refused without any', async () => {
      await expectRefused([], /must have at least one file/);
      // Sent by a browser for an empty file input.
      await expectRefused([upload(Buffer.alloc(0), 'application/octet-stream', '')], /must have at least one file/);
    });

    it('is at most ten files', async () => {
      expect(await createMedia(shop, await small(10))).toHaveLength(10);
      await expectRefused(await small(11), /at most 10 files/);
    });

    it('refuses ten files of one byte, each by itself', async () => {
      const uploads = Array.from({ length: 10 }, (_, i) => upload(Buffer.from('x'), 'image/png', `${i}.png`));
      await expectRefused(
        uploads,
        ...uploads.map(({ fileName }) => new RegExp(`"${fileName}" is sent as image/png, but`)),
      );
    });

    it('is at most 10 MiB a file, to the byte', async () => {
      const most = 10 * 1024 * 1024;
      const content = Buffer.concat([await picture('jpeg'), Buffer.alloc(most)]);
      await expectTaken(uploadOf('jpeg', content.subarray(0, most)), { fileSize: most });
      const reason = new RegExp(`"a.jpg" has ${most + 1} bytes; at most ${most} \\(10 MiB\\) are accepted`);
      await expectRefused([uploadOf('jpeg', content.subarray(0, most + 1), 'a.jpg')], reason);
    });

    it('reports every bad file among good ones, and stores none', async () => {
      const good = await picture('png');
      await expectRefused(
        [
          uploadOf('png', good, 'good.png'),
          uploadOf('png', Buffer.from('bad'), 'bad.png'),
          uploadOf('png', Buffer.alloc(10 * 1024 * 1024 + 1), 'large.png'),
          uploadOf('png', good, 'fine.png'),
          upload(Buffer.alloc(0), 'image/gif', 'empty.gif'),
        ],
        /"bad.png" is sent as image\/png, but its bytes are none/,
        /"large.png" has 10485761 bytes/,
        /"empty.gif" is empty/,
      );
    });
  });

  describe('the type', () => {
    const types: readonly Format[] = formats;

    it.each(types.flatMap((format) => Object.keys(impostors).map((name) => [name, format] as const)))(
      'refuses %s that is sent as a %s',
      async (name, format) => {
        const reason = new RegExp(
          `is sent as image/${format}, but its bytes are none of image/jpeg, image/png, image/webp, image/gif`,
        );
        await expectRefused([uploadOf(format, impostors[name] ?? Buffer.alloc(0))], reason);
      },
    );

    it.each(['image/svg+xml', 'text/html', 'application/octet-stream', 'image/bmp', 'image/*', '', 'a'.repeat(5000)])(
      'refuses a real image that is sent as %j',
      async (type) => {
        await expectRefused([upload(await picture('png'), type, 'a.png')], /"a.png" is sent as ".*; accepted are /);
      },
    );

    it.each(['image/jpg', 'image/pjpeg', 'IMAGE/JPG'])('takes a JPEG that is sent as %s', async (type) => {
      await expectTaken(upload(await picture('jpeg'), type, 'a.jfif'), { mimeType: 'image/jpeg' });
      await expectRefused([upload(await picture('png'), type, 'a.png')], /its bytes are image\/png/);
    });

    it('of an AVIF becomes WebP', async () => {
      const avif = await sharp(await picture('png'))
        .avif()
        .toBuffer();
      const { width, height } = await sharp(avif).metadata();
      await expectTaken(upload(avif, 'image/avif', 'a.avif'), { mimeType: 'image/webp', width, height });
      await expectRefused(
        [upload(avif, 'image/jpeg', 'a.jpg')],
        /"a.jpg" is sent as "image\/jpeg", but its bytes are image\/avif/,
      );
      await expectRefused(
        [upload(avif.subarray(0, avif.length / 2), 'image/avif', 'a.avif')],
        /"a.avif" cannot be decoded/,
      );
      expect(await place.staged()).toEqual([]);
    });

    it.each(['image/heic', 'image/heif'])('of a HEIC that is sent as %s is refused by name', async (type) => {
      const heic = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), Buffer.alloc(500)]);
      await expectRefused(
        [upload(heic, type, 'IMG_1.HEIC')],
        /"IMG_1.HEIC" is HEIC, which is not supported: save it as JPEG/,
      );
    });

    it.each(types.flatMap((sent) => types.filter((held) => held !== sent).map((held) => [sent, held] as const)))(
      'refuses a file sent as %s with the bytes of a %s',
      async (sent, held) => {
        await expectRefused(
          [uploadOf(sent, await picture(held))],
          new RegExp(`is sent as image/${sent}, but its bytes are image/${held}`),
        );
      },
    );

    it('is decided by the first bytes: bytes before an image make it invalid', async () => {
      for (const format of types) {
        const content = Buffer.concat([Buffer.from('<svg/>'), await picture(format)]);
        await expectRefused([uploadOf(format, content)], /its bytes are none of/);
      }
    });

    it('may be followed by any bytes, which are stored with the image and never served as another type', async () => {
      for (const format of types) {
        const image = await picture(format);
        for (const [name, tail] of Object.entries(impostors)) {
          const content = Buffer.concat([image, tail]);
          await expectTaken(uploadOf(format, content, name), { mimeType: `image/${format}`, fileSize: content.length });
        }
      }
    });
  });

  describe('damaged files', () => {
    it.each(formats)('refuses a %s that is cut off anywhere', async (format) => {
      const content = await picture(format, { width: 300, height: 200, noise: true });
      for (const part of [0.02, 0.3, 0.5, 0.9, 0.99]) {
        const cut = content.subarray(0, Math.max(13, Math.floor(content.length * part)));
        await expectRefused([uploadOf(format, cut, 'a')], /"a" cannot be decoded: it is damaged or incomplete/);
      }
      for (const missing of [1, 2]) {
        const cut = content.subarray(0, content.length - missing);
        await expectRefused([uploadOf(format, cut, 'a')], /"a" cannot be decoded: it is damaged or incomplete/);
      }
    });

    it('refuses a jpeg that lacks only its end, although a decoder has all of its pixels by then', async () => {
      for (const width of [8, 33, 150, 301]) {
        const content = await picture('jpeg', { width, height: 64 });
        expect(content.subarray(-2).toString('hex')).toBe('ffd9');
        for (const missing of [1, 2]) {
          await expectRefused([uploadOf('jpeg', content.subarray(0, -missing))], /cannot be decoded/);
        }
        // Any bytes can follow; an end marker inside the metadata is not the end of the picture.
        await expectTaken(uploadOf('jpeg', Buffer.concat([content, Buffer.from('tail')])), { width });
        const note = Buffer.from('\xff\xfe\x00\x06\xff\xd9\xff\xd9', 'latin1');
        const noted = Buffer.concat([content.subarray(0, 2), note, content.subarray(2)]);
        await expectTaken(uploadOf('jpeg', noted), { width });
        await expectRefused([uploadOf('jpeg', noted.subarray(0, -2))], /cannot be decoded/);
      }
    });

    it('refuses interlaced, progressive and animated files that are cut off', async () => {
      const plain = sharp(await picture('png', { width: 200, height: 200, noise: true }));
      const cases: [Format, Buffer][] = [
        ['png', await plain.clone().png({ progressive: true }).toBuffer()],
        ['jpeg', await plain.clone().jpeg({ progressive: true }).toBuffer()],
        ['webp', await plain.clone().webp({ lossless: true }).toBuffer()],
        ['gif', await picture('gif', { frames: 5 })],
        ['webp', await picture('webp', { frames: 5 })],
      ];
      for (const [format, content] of cases) {
        await expectTaken(uploadOf(format, content), { mimeType: `image/${format}` });
        for (const part of [0.5, 0.95]) {
          const cut = content.subarray(0, Math.floor(content.length * part));
          await expectRefused([uploadOf(format, cut)], /cannot be decoded/);
        }
      }
    });

    it.each(formats)('refuses a %s that is only its first bytes', async (format) => {
      const content = await picture(format);
      await expectRefused([uploadOf(format, content.subarray(0, 12))], /cannot be decoded|is not a/);
      await expectRefused(
        [uploadOf(format, Buffer.concat([content.subarray(0, 12), Buffer.alloc(500)]))],
        /cannot be decoded/,
      );
    });

    it('refuses changed bytes when a checksum or the decoder detects them', async () => {
      for (const format of ['png', 'gif'] as const) {
        const content = await picture(format, { width: 300, height: 200, noise: true });
        content.fill(0x55, content.length >> 1, (content.length >> 1) + 200);
        await expectRefused([uploadOf(format, content)], /cannot be decoded/);
      }
    });
  });

  describe('the number of pixels', () => {
    it('refuses a header that claims too many, before decoding', async () => {
      const bomb = pngClaiming(60_000, 60_000);
      expect(bomb.length).toBeLessThan(100);
      await expectRefused([uploadOf('png', bomb)], /has 60000 × 60000 pixels; at most 40 million are accepted/);
      await expectRefused([uploadOf('png', pngClaiming(2 ** 31 - 1, 2 ** 31 - 1))], /pixels|cannot be decoded/);
      await expectRefused([uploadOf('png', pngClaiming(0, 10))], /cannot be decoded/);
    });

    it('accepts 40 million and not one row more', async () => {
      const paint = (width: number, height: number) =>
        sharp({ create: { width, height, channels: 3, background: '#246' } })
          .jpeg()
          .toBuffer();
      await expectTaken(uploadOf('jpeg', await paint(8000, 5000)), { width: 8000, height: 5000 });
      await expectRefused([uploadOf('jpeg', await paint(8000, 5001))], /has 8000 × 5001 pixels/);
    });

    it('is that of the displayed picture, after the rotation noted by the camera', async () => {
      for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
        const content = await picture('jpeg', { width: 60, height: 20, orientation });
        const facts = orientation >= 5 ? { width: 20, height: 60 } : { width: 60, height: 20 };
        await expectTaken(uploadOf('jpeg', content), facts);
      }
    });
  });

  describe('animations', () => {
    it('are accepted, with the size of one frame', async () => {
      for (const format of ['gif', 'webp'] as const) {
        const content = await picture(format, { width: 20, height: 10, frames: 12 });
        expect((await sharp(content).metadata()).pages).toBe(12);
        await expectTaken(uploadOf(format, content), { mimeType: `image/${format}`, width: 20, height: 10 });
      }
    });

    it('have at most 1000 frames, counted without decoding one', async () => {
      await expectTaken(uploadOf('gif', gifOfFrames(1000)), { width: 1, height: 1 });
      await expectRefused([uploadOf('gif', gifOfFrames(1001))], /has more than 1000 frames/);
      await expectRefused([uploadOf('gif', gifOfFrames(100_000))], /has more than 1000 frames/);
    });

    it('have at most 1000 frames as PNG and WebP, too', async () => {
      const png = await picture('png');
      const frames = Array.from({ length: 1001 }, () => pngChunk('fcTL', Buffer.alloc(26)));
      const animated = Buffer.concat([png.subarray(0, 33), ...frames, png.subarray(33)]);
      expect(animated.subarray(0, 8)).toEqual(pngSignature);
      await expectRefused([uploadOf('png', animated)], /has more than 1000 frames/);

      const webp = await picture('webp', { frames: 2 });
      const frame = Buffer.concat([Buffer.from('ANMF'), Buffer.from([16, 0, 0, 0]), Buffer.alloc(16)]);
      const many = Buffer.concat([webp, ...Array.from({ length: 1001 }, () => frame)]);
      many.writeUInt32LE(many.length - 8, 4);
      await expectRefused([uploadOf('webp', many)], /has more than 1000 frames/);
    });

    it('do not hold up other requests, however small their blocks are', async () => {
      // A comment in nine million blocks of one byte, parsed over many turns of the event loop.
      const comment = Buffer.alloc(9_000_000, Buffer.from([1, 0x41]));
      const gif = gifOfFrames(1);
      const content = Buffer.concat([gif.subarray(0, -1), Buffer.from([0x21, 0xfe]), comment, Buffer.from([0, 0x3b])]);
      await expectTaken(uploadOf('gif', content), { fileSize: content.length });
    });
  });

  describe('files built to be slow', () => {
    it('are refused with more than a hundred scans', async () => {
      await expectTaken(uploadOf('jpeg', await jpegOfScans(100)), { width: 64 });
      await expectRefused([uploadOf('jpeg', await jpegOfScans(101))], /has more than 100 scans/);
      await expectRefused([uploadOf('jpeg', await jpegOfScans(8000))], /has more than 100 scans/);
    });

    it('are refused when they claim a size that their first frame does not have', async () => {
      const claiming = gifOfFrames(2);
      claiming.writeUInt16LE(65_535, 6);
      claiming.writeUInt16LE(65_535, 8);
      await expectRefused([uploadOf('gif', claiming)], /has 65535 × 65535 pixels; at most 40 million are accepted/);
      const reaching = gifOfFrames(2);
      // Position and size of the second frame.
      const second = reaching.lastIndexOf(0x2c);
      for (const at of [1, 3, 5, 7]) reaching.writeUInt16LE(60_000, second + at);
      await expectRefused([uploadOf('gif', reaching)], /has 120000 × 120000 pixels/);
    });

    it('cost no more than their length, whatever their bytes are', async () => {
      const size = 10 * 1024 * 1024;
      const head = (await picture('jpeg')).subarray(0, 2);
      const time = async (filler: Buffer) => {
        const content = Buffer.concat([head, Buffer.from([0xff]), Buffer.alloc(size - 3, filler)]);
        const started = performance.now();
        await createMedia(shop, [upload(content, 'image/jpeg')]).catch(() => {});
        return performance.now() - started;
      };
      const plain = await time(Buffer.from([0xff, 0xe0, 0x00, 0x02]));
      const runs = [await time(Buffer.from([0xff])), await time(Buffer.from([0xff, 0x00]))];
      // One turn of the event loop per byte would take a hundred times as long.
      for (const run of runs) expect(run).toBeLessThan(20 * Math.max(plain, 50));
    });
  });

  // The client's name is only a text in messages.
  describe('the name of a file', () => {
    it.each([
      ['../../../etc/passwd'],
      ['..\\..\\windows.png'],
      ['a\0b.png'],
      ['x'.repeat(4096)],
      ['"><script>alert(1)</script>.png'],
      ['\ud800.png'],
      ['.png'],
      ['CON'],
      ['\r\nSet-Cookie: a=b'],
    ])('may be %j', async (name) => {
      await expectTaken(uploadOf('png', await picture('png'), name), { mimeType: 'image/png' });
      await expectRefused([uploadOf('png', Buffer.from('bad'), name)], /"[^\r\n\0]{0,85} is sent as/);
    });
  });

  it('stores files under our own names alone', async () => {
    for (const name of await place.kept(shop.store.id)) {
      expect(name).toMatch(/^[0-9a-f-]{36}\/[0-9a-f-]{36}\.(jpg|png|webp|gif)$/);
    }
  });
});
