import { createMedia, deleteMedia, getMediaJson, listMediaJson, updateMedia } from '@commerce/core';
import { createdItems, item, list, nothing } from './answers.ts';
import { type ClosedRoute, type Route, route } from './router.ts';

/** Images: uploaded as files of a form; afterwards only their text changes. */
export function mediaRoutes(options: { uploads: boolean }): readonly (Route | ClosedRoute)[] {
  return [
    route('GET', '/media', 'media.read', {
      name: 'listMedia',
      summary: 'List images, newest first',
      mayLag: true,
      query: 'MediaQuery',
      answer: list('Media'),
      run: listMediaJson,
    }),
    options.uploads
      ? uploadRoute
      : {
          method: 'POST',
          path: '/media',
          open: uploadRoute,
          closed:
            'no storage for files is configured: give openCommerce() a folder or a bucket as `media`, ' +
            'as `commerce serve --media-dir` does',
        },
    route('GET', '/media/{id}', 'media.read', {
      name: 'getMedia',
      summary: 'Get an image; `url` is the address of its file',
      mayLag: true,
      answer: item('Media'),
      run: getMediaJson,
    }),
    route('PUT', '/media/{id}', 'media.write', {
      name: 'updateMedia',
      summary: 'Change the alternative text of an image; its file cannot be replaced',
      body: 'MediaChanges',
      errors: ['conflict'],
      answer: item('Media'),
      run: updateMedia,
    }),
    route('DELETE', '/media/{id}', 'media.delete', {
      name: 'deleteMedia',
      summary: 'Delete an image and its file permanently; products that refer to it keep the id',
      errors: ['conflict'],
      answer: nothing,
      run: deleteMedia,
    }),
  ];
}

const uploadRoute = route('POST', '/media', 'media.write', {
  name: 'uploadMedia',
  summary: 'Upload images, all of them or none',
  body: 'files',
  answer: createdItems('Media'),
  run: createMedia,
});
