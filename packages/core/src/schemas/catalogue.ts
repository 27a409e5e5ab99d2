import * as z from 'zod';
import type { ProductAttributes as ProductAttributesEntity } from '../products/facets.ts';
import { exactly } from './values.ts';

export const ProductAttributes = exactly<ProductAttributesEntity>()(
  z
    .object({
      keys: z.array(z.string()).meta({ description: 'Every key, sorted.', examples: [['color', 'size']] }),
      values: z.record(z.string(), z.array(z.string())).meta({
        description: 'The values of each key, sorted.',
        examples: [{ color: ['blue', 'red'], size: ['L', 'M'] }],
      }),
    })
    .meta({ description: 'The attributes of undeleted products.' }),
);
