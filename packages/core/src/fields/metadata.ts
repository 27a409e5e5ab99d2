import * as z from 'zod';
import { maxMetadata, maxMetadataFilters, maxMetadataKey, maxMetadataText, maxTag, maxTags } from '../kernel/limits.ts';
import { ruled, text } from '../kernel/parse.ts';
import { written } from './entity.ts';
import { kind } from './kinds.ts';

const keyPattern = new RegExp(`^[A-Za-z0-9_.-]{1,${maxMetadataKey}}$`);

/** Texts by names that keep to a pattern; at most so many. */
function textsByName(max: number, pattern: RegExp, expected: string) {
  return (
    z
      // Zod silently drops this key from a record.
      .custom<Record<string, string>>(
        (value) => typeof value !== 'object' || value === null || !Object.hasOwn(value, '__proto__'),
        { error: 'must not have the key "__proto__"', abort: true },
      )
      .pipe(
        z.record(
          z.string().regex(pattern, expected),
          text(maxMetadataText),
          // Zod shows this error for a wrong key, too, instead of that of the key.
          {
            error: ({ code }) =>
              code === 'invalid_key' ? expected : 'must be an object of texts, such as {"erp.id": "4711"}',
          },
        ),
      )
      .refine((value) => Object.keys(value).length <= max, ruled(`must have at most ${max} keys`, 'TOO_MANY'))
      .meta({
        type: 'object',
        maxProperties: max,
        propertyNames: { pattern: pattern.source },
        additionalProperties: { type: 'string', maxLength: maxMetadataText },
      })
  );
}

const keyWords = `must be a key of letters, digits, "_", "." and "-", at most ${maxMetadataKey} characters`;

/** The rule of metadata. */
export const metadataRule = textsByName(maxMetadata, keyPattern, keyWords);

/** The rule of the keys of metadata by which a list is filtered. */
export const metadataFilterRule = textsByName(maxMetadataFilters, keyPattern, keyWords);

/** Texts of applications, by key. Storefront keys never see them. */
export const metadata = {
  /** Texts of your own by key, for other programs. Replaced as a whole. Always empty for storefront keys. */
  metadata: written(
    kind(metadataRule, () => z.record(z.string(), z.string()), 'json'),
    {
      words: 'Texts of your own by key, for other programs. Replaced as a whole. Always empty for storefront keys.',
      example: { 'erp.id': '4711' },
      initial: {},
      hidden: {},
    },
  ),
};

/** The rule of tags. Doubles are dropped. */
export const tagsRule = z
  .array(text(maxTag, 1).trim(), 'must be a list of words')
  .max(maxTags, `must have at most ${maxTags} tags`)
  .refine((tags) => tags.every((tag) => tag !== ''), ruled('must have no blank tag', 'REQUIRED'))
  .transform((tags) => [...new Set(tags)]);

export const tags = {
  /** Words by which lists are filtered. Replaced as a whole. */
  tags: written(
    kind(tagsRule, () => z.array(z.string()), 'json'),
    { words: 'Words by which lists are filtered. Replaced as a whole.', example: ['wholesale'], initial: [] },
  ),
};

/** The rule of what a buyer chose for a line, such as an engraving. */
export const optionsRule = textsByName(
  10,
  /^[^\p{Cc}\s][^\p{Cc}]{0,63}$/u,
  'must be a name of 1 to 64 characters that does not begin with a blank',
);
