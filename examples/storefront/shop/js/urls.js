/** @param {[name: string, value: string][]} query */
export const catalogueUrl = (query) => `index.html${query.length > 0 ? `?${new URLSearchParams(query)}` : ''}`;

/** @param {{ slug: string }} product */
export const productUrl = ({ slug }) => `product.html?${new URLSearchParams({ slug })}`;

/** @param {{ slug: string }} page */
export const pageUrl = ({ slug }) => `page.html?${new URLSearchParams({ slug })}`;

/** The thank-you page of a checkout. @param {string} id */
export const returnUrl = (id) => `return.html?${new URLSearchParams({ checkout: id })}`;

/** The page to withdraw on. @param {string} [token] of the page of an order, behind the `#` so that no server sees it */
export const withdrawUrl = (token) => `withdraw.html${token ? `#${token}` : ''}`;
