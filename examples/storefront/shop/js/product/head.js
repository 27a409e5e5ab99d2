import { getImages } from '../api.js';
import { setHead } from '../head.js';
import { productUrl } from '../urls.js';
import { structured } from './structured.js';

/** What search engines and previews of links get of a product. @param {import('../api.js').ListedProduct} product */
export async function setProductHead(product) {
  const { title, description, seoTitle, seoDescription, seoImageId, media = [] } = product;
  const own = media.find(({ id }) => id === seoImageId);
  const [jsonLd, images] = await Promise.all([
    structured(product),
    seoImageId && !own ? getImages([seoImageId]) : undefined,
  ]);
  setHead({
    title: seoTitle || title,
    description: seoDescription || description,
    image: own ?? images?.get(seoImageId ?? '') ?? media[0],
    url: productUrl(product),
    type: 'product',
    jsonLd,
  });
}
