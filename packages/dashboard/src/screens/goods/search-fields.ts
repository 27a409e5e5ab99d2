import { area, line } from '../../kit/form/kinds.ts';

/** Fields of products and categories for search engines. */
export const searchFields = {
  seoTitle: line('Title for search engines'),
  seoDescription: area('Description for search engines', { rows: 3 }),
  seoKeywords: line('Keywords'),
};
