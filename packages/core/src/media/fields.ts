import * as z from 'zod';
import { type Changes, type Entity, entity, made, written } from '../fields/entity.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { choice, madeCount, nullable, text } from '../fields/kinds.ts';
import { noted } from '../fields/notes.ts';
import { identity, stamps } from '../fields/stamps.ts';
import { maxIdsAtOnce } from '../kernel/limits.ts';
import { paging } from '../kernel/paging.ts';
import { fields, text as textRule } from '../kernel/parse.ts';
import { imageTypes } from './formats.ts';

const shape = {
  ...identity(exampleIds.media),
  /** Address of the file: `<cdn url>/<store id>/<id>.<extension>`. Begins with a slash when the service does not know its own address. */
  url: made(
    { answer: () => z.string().meta({ format: 'uri-reference' }), cell: 'text' },
    {
      words:
        'The address of the file: `<cdn url>/<store id>/<id>.<extension>`. Begins with a slash if the service does not know its own address.',
      example: `https://shop.test/media/${exampleIds.store}/${exampleIds.media}.jpg`,
      public: true,
    },
  ),
  /** Determined from the content of the file. */
  mimeType: made(choice(imageTypes), {
    words: 'Determined from the content of the file.',
    example: 'image/jpeg',
    public: true,
  }),
  /** Displayed width in pixels, after the rotation noted by the camera. */
  width: made(madeCount, { words: 'Displayed width in pixels.', example: 1600, public: true }),
  /** Displayed height in pixels. */
  height: made(madeCount, { words: 'Displayed height in pixels.', example: 1200, public: true }),
  /** Bytes. */
  fileSize: made(madeCount, { words: 'Bytes.', example: 245_760, public: true }),
  /** The alternative text. */
  altText: written(nullable(text(1000)), {
    words: 'The alternative text.',
    example: 'A blue mug on a table',
    public: true,
  }),
  ...stamps,
};

export const mediaEntity = entity(shape, {
  words: 'An image.',
  // The only field that clients can change: a file never changes.
  update: { words: 'Changes of an image.', example: { altText: 'A blue mug on a table' } },
});

/** An image as all interfaces answer it. */
export type Media = Entity<typeof shape>;
export type MediaChanges = Changes<typeof shape>;

/** Limits of an upload. The HTTP server limits the request as a whole. */
export const uploadLimits = {
  files: 10,
  fileBytes: 10 * 1024 * 1024,
  /** Pixels of one frame. */
  pixels: 40_000_000,
  /** Frames of an animation; more would cost a visitor's browser too much. */
  frames: 1000,
} as const;

/** One uploaded file. Its content is read once, as a stream, and is never in memory as a whole. */
export interface MediaUpload {
  /** The client's name for the file, used in messages, never in a path. */
  fileName: string;
  /** The type stated by the client. */
  mimeType: string;
  content: AsyncIterable<Uint8Array>;
}

const expectedIds = `must be at most ${maxIdsAtOnce} ids, separated by commas`;

/** Ids in a query string, separated by commas, or a list of ids from code; each once. */
const ids = z
  .union([z.array(textRule(64)), textRule(maxIdsAtOnce * 65).transform((list) => list.split(','))], expectedIds)
  .transform((list) => [...new Set(list.map((id) => id.trim()))].filter((id) => id !== ''))
  .refine((list) => list.length <= maxIdsAtOnce, expectedIds)
  .meta({ type: 'string', examples: [exampleIds.media] });

export const MediaQuery = noted(
  fields({
    ...paging,
    /** Prefix of the type, such as `image/` or `image/png`. */
    mimeType: textRule(255).optional().describe('Prefix of the type, such as `image/` or `image/png`.'),
    /** Only these images, up to 200 ids separated by commas. Unknown ids are left out, and `limit` and `offset` are ignored. */
    ids: ids
      .optional()
      .describe(
        'Only these images, up to 200 ids separated by commas. Unknown ids are left out, and `limit` and `offset` are ignored.',
      ),
  }),
  {
    description: 'Filters of a list of images.',
  },
);
export type MediaQueryInput = z.input<typeof MediaQuery>;
