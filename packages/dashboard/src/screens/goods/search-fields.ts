import { area, line } from '../../kit/form/kinds.ts';

/** What a product and a category tell search engines. */
export const searchFields = {
  seoTitle: line('Title for search engines'),
  seoDescription: area('Description for search engines', { rows: 3 }),
  seoKeywords: line('Keywords'),
};
