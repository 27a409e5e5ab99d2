import * as z from 'zod';
import { once } from '../../fields/answers.ts';
import { productDetailsAnswer } from '../include.ts';

/** Values of an attribute in an answer. */
export const maxValues = 100;

const amount = (description: string) => z.string().meta({ description, examples: ['12.50'] });

const groupAnswer = once(() =>
  z
    .object({
      count: z
        .int()
        .min(1)
        .meta({ description: 'Products of the group that match.', examples: [3] }),
      minPrice: amount('The lowest price of them.'),
      maxPrice: amount('The highest price of them.'),
      attributes: z.record(z.string(), z.array(z.string())).meta({
        description: `The values of each attribute, those of older products first, at most ${maxValues}.`,
        examples: [{ size: ['M', 'L'] }],
      }),
      inStock: z.boolean().describe('Whether one of them can be bought now.'),
    })
    .meta({ description: 'What the matching products of a variant group have in common.' }),
);

/** What the members of a variant group that match a list have in common. */
export type Group = z.output<ReturnType<typeof groupAnswer>>;

export const listedProductAnswer = once(() =>
  productDetailsAnswer()
    .extend({ group: groupAnswer().optional().describe('Only with `group=variants`.') })
    .meta({ description: 'A product of a list, with what `include` and `group` ask for.' }),
);

/** A product of a list, with what the query asked for in addition. */
export type ListedProduct = z.output<ReturnType<typeof listedProductAnswer>>;

const counted = <Name extends 'id' | 'value'>(name: Name, description: string) =>
  z.array(
    z
      .object({ [name]: z.string(), count: z.int().min(1) } as { [Key in Name]: z.ZodString } & { count: z.ZodInt })
      .meta({ description }),
  );

export const facetsAnswer = once(() =>
  z
    .object({
      attributes: z
        .record(z.string(), counted('value', 'A value, and how many products or groups have it.').nullable())
        .describe('The values of each attribute, the most frequent first.'),
      categories: counted('id', 'A category, and how many products or groups are in it or in its subcategories.')
        .nullable()
        .optional()
        .describe('With the facet `category`, the largest first.'),
      price: z
        .object({ min: z.string().nullable(), max: z.string().nullable() })
        .nullable()
        .optional()
        .describe('With the facet `price`: the lowest and the highest price; null without products.'),
      inStock: z
        .object({ count: z.int().min(0) })
        .nullable()
        .optional()
        .describe('With the facet `inStock`: how many products or groups can be bought now.'),
    })
    .meta({
      description: `Each facet is counted under all filters but its own, with at most ${maxValues} values. It is null if it would count more than 20,000 products.`,
    }),
);

/** The counted facets of a list. */
export type Facets = z.output<ReturnType<typeof facetsAnswer>>;
export type ValueCount = { value: string; count: number };
