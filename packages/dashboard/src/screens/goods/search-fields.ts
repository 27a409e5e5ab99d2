import { area, line } from '../../kit/form/kinds.ts';
import { t } from '../../words/words.ts';

const words = t.products.seo;

/** Fields of products and categories for search engines. */
export const searchFields = {
  seoTitle: line(words.title),
  seoDescription: area(words.description, { rows: 3 }),
  seoKeywords: line(words.keywords),
};
