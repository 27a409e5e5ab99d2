import { randomUUID } from 'node:crypto';
import { type Context, createMedia, listMedia, type Media, openCommerce, uploadLimits } from '@commerce/core';
import { type App, createApp } from '@commerce/server';
import { type FormPart, form, formType } from '@commerce/test-support/fixtures/media-forms';
import { picture, uploadOf } from '@commerce/test-support/fixtures/media-images';
import { folderPlace } from '@commerce/test-support/fixtures/media-places';
import { emittedBy, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { ask, expectRefused, newKey, type Refusal, type Sending } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, describe, expect, it } from 'vitest';

forEachStorage('the media routes', (database) => {
  const place = folderPlace();
  const commerce = useCommerce(database, { media: { files: place.files(), url: 'https://cdn.example.com' } });
  let app: App;
  let shop: Context;
  let key: string;
  let png: Buffer;
  let gif: Buffer;
  let media: Media;
  beforeAll(async () => {
    app = createApp(commerce());
    shop = await newShop(commerce());
    key = await newKey(shop);
    png = await picture('png');
    gif = await picture('gif');
    [media] = (await createMedia(shop, [uploadOf('png', png)])) as [Media];
  });
  const path = () => `/stores/${shop.store.id}/media`;
  const post = (body: unknown, sending: Sending = {}) =>
    ask(app, `POST ${path()}`, { key, body, type: formType, ...sending });

  /** No table changed, and no file was added. */
  async function refuses(send: () => ReturnType<typeof ask>, refusal: Refusal): Promise<void> {
    const before = await place.kept(shop.store.id);
    await expectRefused(commerce(), send, refusal);
    expect(await place.kept(shop.store.id)).toEqual(before);
    expect(await place.staged()).toEqual([]);
  }

  it('upload files and answer 201 with the whole of each', async () => {
    const parts: FormPart[] = [{ content: png }, { content: gif, fileName: 'b.gif', type: 'image/gif' }];
    const events = await emittedBy(shop, async () => {
      const answer = await post(form(...parts));
      expect(answer.status).toBe(201);
      const { items, ...rest } = answer.json as { items: Media[] };
      expect(rest).toEqual({});
      expect(items).toMatchObject([
        { mimeType: 'image/png', width: 40, height: 30, fileSize: png.length, altText: null },
        { mimeType: 'image/gif', width: 40, height: 30, fileSize: gif.length, altText: null },
      ]);
      const listed = await ask(app, `GET ${path()}?limit=2`, { key });
      expect((listed.json as { items: Media[] }).items.reverse()).toEqual(items);
      for (const item of items) {
        expect((await ask(app, `GET ${path()}/${item.id}`, { key })).json).toEqual({ item });
      }
    });
    expect(events).toEqual(['media.created', 'media.created']);
  });

  it('list, change and delete', async () => {
    const [made] = (await createMedia(shop, [uploadOf('gif', gif)])) as [Media];
    const one = `${path()}/${made.id}`;
    const listed = (await ask(app, `GET ${path()}?mimeType=image/gif&limit=1`, { key })).json as { total: number };
    expect(listed).toEqual({ items: [made], total: (await listMedia(shop, { mimeType: 'image/gif' })).total });
    const changed = await ask(app, `PUT ${one}`, { key, body: { altText: 'Ein Becher' } });
    expect(changed).toMatchObject({
      status: 200,
      json: { item: { ...made, altText: 'Ein Becher', updatedAt: expect.any(String) } },
    });
    expect((await ask(app, `PATCH ${one}`, { key, body: { altText: null } })).json).toMatchObject({
      item: { altText: null },
    });
    expect(await ask(app, `DELETE ${one}`, { key })).toMatchObject({ status: 204, text: '' });
    expect((await ask(app, `GET ${one}`, { key })).status).toBe(404);
  });

  it('ignore fields that hold no file, and file inputs that were left empty', async () => {
    const answer = await post(
      form(
        { name: 'altText', fileName: null, type: null, content: 'ignored' },
        { content: '', fileName: '', type: 'application/octet-stream' },
        { content: png },
        { name: 'x'.repeat(300), fileName: null, type: null, content: 'y'.repeat(10_000) },
      ),
    );
    expect(answer.status).toBe(201);
    expect((answer.json as { items: Media[] }).items).toHaveLength(1);
  });

  it('take content that looks like a boundary, and lines before and after the form', async () => {
    const tail = Buffer.from('\r\n--\r\n------a-boundary-of-a-tes\r\n');
    const content = Buffer.concat([png, tail]);
    const body = Buffer.concat([Buffer.from('a preamble\r\n'), form({ content }), Buffer.from('an epilogue')]);
    const answer = await post(body);
    expect(answer).toMatchObject({ status: 201, json: { items: [{ fileSize: content.length }] } });
  });

  it('take a file whatever it is called', async () => {
    for (const fileName of [
      '../../../x.png',
      '..\\x.png',
      'a\0b.png',
      'x'.repeat(4096),
      '',
      '<b>.png',
      'Müßig 🫖.png',
      'a;b.png',
    ]) {
      expect((await post(form({ content: png, fileName }))).status, fileName.slice(0, 40)).toBe(201);
      const refusal = { status: 400, code: 'VALIDATION_ERROR', fields: ['files'] };
      await refuses(() => post(form({ content: 'no image', fileName })), refusal);
    }
    for (const name of await place.kept(shop.store.id)) expect(name).toMatch(/^[\w-]+\/[\w-]+\.(png|gif)$/);
  });

  describe('refuse', () => {
    const invalid = (fields: string[], message?: RegExp): Refusal => ({
      status: 400,
      code: 'VALIDATION_ERROR',
      fields,
      ...(message ? { message } : {}),
    });

    it('an upload with no files', async () => {
      const none = invalid(['files'], /must have at least one file/);
      await refuses(() => post(form()), none);
      await refuses(() => post(form({ name: 'note', fileName: null, type: null, content: 'x' })), none);
      await refuses(() => post(form({ content: '', fileName: '', type: 'application/octet-stream' })), none);
    });

    it('more than ten files, however many more', async () => {
      const ten = Array.from({ length: uploadLimits.files }, () => ({ content: png }));
      expect((await post(form(...ten))).status).toBe(201);
      await refuses(() => post(form(...ten, { content: png })), invalid(['files'], /at most 10 files/));
      const many = Array.from({ length: 900 }, () => ({ content: png }));
      await refuses(() => post(form(...many)), invalid(['files'], /at most 10 files/));
    });

    it('a file in another field, and say which is the right one', async () => {
      await refuses(
        () => post(form({ name: 'picture', content: png })),
        invalid(['picture'], /picture: send files in the field "files"/),
      );
      await refuses(() => post(form({ content: png }, { name: 'file', content: png })), invalid(['file']));
      await refuses(() => post(form({ name: '', content: png })), invalid(['body']));
      await refuses(() => post(form({ name: 'x'.repeat(5000), content: png })), invalid(['x'.repeat(64)]));
    });

    it('a text in the field of the files', async () => {
      await refuses(
        () => post(form({ content: 'hello', fileName: null, type: null })),
        invalid(['files'], /is sent as "text\/plain"; accepted are /),
      );
    });

    it('a type outside the list, naming it, once for each file', async () => {
      await refuses(
        () =>
          post(
            form(
              { content: png, fileName: 'good.png' },
              { content: '<svg/>', fileName: 'a.svg', type: 'image/svg+xml' },
              { content: png, fileName: 'b.jpg', type: 'image/jpeg' },
              { content: png, fileName: 'c', type: null },
            ),
          ),
        invalid(['files', 'files', 'files'], /"a.svg" is sent as "image\/svg\+xml"; accepted are .*\(and 2 more\)/),
      );
    });

    it.each<[string, Buffer | string, string]>([
      ['nothing at all', '', formType],
      ['no form', 'this is no form', formType],
      ['JSON', '{"files":[]}', formType],
      ['a form cut off in its content', form({ content: 'x'.repeat(500) }).subarray(0, 300), formType],
      ['a form cut off in its headers', form({ content: 'x' }).subarray(0, 60), formType],
      ['a form without its last line', form({ content: 'x' }).subarray(0, -6), formType],
      ['another boundary than its own', form({ content: 'x' }), 'multipart/form-data; boundary=other'],
      ['no boundary', form({ content: 'x' }), 'multipart/form-data'],
      [
        'too many parts',
        form(...Array.from({ length: 1001 }, () => ({ name: 'x', fileName: null, content: '' }))),
        formType,
      ],
    ])('a body that is %s', async (_, body, type) => {
      await refuses(() => post(body, { type }), invalid(['body'], /is not valid multipart\/form-data/));
    });

    it('what was cut off after whole files, and keep none of them', async () => {
      const whole = form({ content: png }, { content: png });
      for (const cut of [10, 20, png.length, png.length + 50]) {
        await refuses(() => post(whole.subarray(0, -cut)), invalid(['body'], /is not valid multipart\/form-data/));
      }
    });

    it('every body that is no form with 415', async () => {
      const refusal = { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message: /multipart\/form-data, not/ };
      for (const type of [
        null,
        'application/json',
        'image/png',
        'multipart/mixed; boundary=x',
        'multipart/form-dataset',
        'text/plain',
      ]) {
        await refuses(() => post(form({ content: png }), { type }), refusal);
      }
    });

    it('a change of anything but the text, and a text that is too long', async () => {
      const one = `PUT ${path()}/${media.id}`;
      await refuses(() => ask(app, one, { key, body: { altText: 'x'.repeat(1001) } }), invalid(['altText']));
      await refuses(() => ask(app, one, { key, body: form({ content: png }), type: formType }), {
        status: 415,
        code: 'UNSUPPORTED_MEDIA_TYPE',
      });
      const { status, json } = await ask(app, one, {
        key,
        body: { url: 'https://evil.example.com', mimeType: 'text/html' },
      });
      expect({ status, json }).toEqual({ status: 200, json: { item: media } });
    });

    it('a window out of range', async () => {
      await refuses(() => ask(app, `GET ${path()}?limit=201`, { key }), invalid(['limit']));
      await refuses(() => ask(app, `GET ${path()}?offset=-1`, { key }), invalid(['offset']));
    });
  });

  describe('check', () => {
    const body = form({ content: 'whatever' });
    /** A body that must not be read. */
    const unread = () => {
      const app = createApp(commerce());
      return async (line: string, headers: Record<string, string>) => {
        const [method = '', url = ''] = line.split(' ');
        const forbidden = () => expect.fail('the body was read');
        return app.handle({ method, url, headers, readBody: forbidden, openBody: forbidden }, 'r');
      };
    };

    it('key, store, path, method and scope before a byte of the body', async () => {
      const reader = await newKey(shop, 'media.read', 'media.delete', 'product.write');
      const send = unread();
      const bearer = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': formType });
      const cases: [string, Record<string, string>, number][] = [
        [`POST ${path()}`, { 'content-type': formType }, 401],
        [`POST ${path()}`, bearer('ck_live_wrong'), 401],
        [`POST /stores/${randomUUID()}/media`, bearer(key), 403],
        [`POST ${path()}/a/b`, bearer(key), 404],
        [`POST ${path()}/${media.id}`, bearer(key), 405],
        [`DELETE ${path()}`, bearer(key), 405],
        [`POST ${path()}`, bearer(reader), 403],
        [`POST ${path()}`, { ...bearer(key), 'content-type': 'text/plain' }, 415],
      ];
      for (const [line, headers, status] of cases) expect((await send(line, headers)).status, line).toBe(status);
    });

    it.each([
      ['GET', '', 'media.read', 200],
      ['GET', '/{id}', 'media.read', 200],
      ['POST', '', 'media.write', 201],
      ['PUT', '/{id}', 'media.write', 200],
      ['DELETE', '/{id}', 'media.delete', 204],
    ] as const)('that %s /media%s has its scope', async (method, below, scope, status) => {
      const [made] = (await createMedia(shop, [uploadOf('png', png)])) as [Media];
      const line = `${method} ${path()}${below.replace('{id}', made.id)}`;
      const sending: Sending =
        method === 'POST' ? { body: form({ content: png }), type: formType } : method === 'PUT' ? { body: {} } : {};
      const others = (['media.read', 'media.write', 'media.delete', 'product.write'] as const).filter(
        (s) => s !== scope,
      );
      const wrong = await newKey(shop, ...others);
      await refuses(() => ask(app, line, { ...sending, key: wrong }), {
        status: 403,
        code: 'FORBIDDEN',
        message: new RegExp(scope),
      });
      expect((await ask(app, line, { ...sending, key: await newKey(shop, scope) })).status).toBe(status);
    });

    it('that a media is of this store', async () => {
      const other = await newShop(commerce());
      const foreign = await newKey(other);
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const line = `${method} /stores/${other.store.id}/media/${media.id}`;
        await refuses(() => ask(app, line, { key: foreign, ...(method === 'PUT' ? { body: {} } : {}) }), {
          status: 404,
          code: 'NOT_FOUND',
        });
      }
      expect((await ask(app, `POST /api${path()}`, { key, body, type: formType })).status).toBe(400);
    });
  });

  it('close the upload, and nothing else, where there is no place for files', async () => {
    const bare = await openCommerce({ storage: database.open() });
    const closed = createApp(bare);
    await refuses(() => ask(closed, `POST ${path()}`, { key, body: form({ content: png }), type: formType }), {
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
      message: /no storage for files.*--media-dir/,
      headers: { Allow: 'GET, HEAD, OPTIONS' },
    });
    expect((await ask(closed, `GET ${path()}`, { key })).status).toBe(200);
    expect((await ask(closed, `PUT ${path()}/${media.id}`, { key, body: {} })).status).toBe(200);
    await bare.close();
  });
});
