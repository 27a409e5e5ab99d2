import { createMedia, deleteMedia, readMedia, readMediaList, updateMedia } from '@commerce/core';
import { type ClosedRoute, type Route, route } from '../router.ts';
import { item, list, nothing } from './answers.ts';

/** Images: uploaded as files of a form, and from then on their text alone changes. */
export function mediaRoutes(options: { uploads: boolean }): readonly (Route | ClosedRoute)[] {
  return [
    route('GET', '/media', 'media.read', (ctx, { query }) => readMediaList(ctx, query).then(list)),
    options.uploads
      ? route(
          'POST',
          '/media',
          'media.write',
          async (ctx, { body }) => JSON.stringify({ items: await createMedia(ctx, body) }),
          201,
          'files',
        )
      : {
          method: 'POST',
          path: '/media',
          closed:
            'there is no place for files: give openCommerce() a folder or a bucket as `media`, ' +
            'as `commerce serve --media-dir` does',
        },
    route('GET', '/media/{id}', 'media.read', (ctx, { params }) => readMedia(ctx, params.id).then(item)),
    route('PUT', '/media/{id}', 'media.write', (ctx, { params, body }) => updateMedia(ctx, params.id, body).then(item)),
    route('DELETE', '/media/{id}', 'media.delete', (ctx, { params }) => deleteMedia(ctx, params.id).then(nothing), 204),
  ];
}
