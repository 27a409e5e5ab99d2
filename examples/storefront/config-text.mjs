/**
 * The text of the page's config.js: the settings of a store that buyers can see, and its address.
 * @param {{ name: string, currency: string, taxRate: string, taxIncluded: boolean, shippingMethods: object[] }} settings as `GET /settings`
 * answers them
 * @param {{ url: string, storeId: string, key: string, intro?: string, locale?: string }} place
 */
export function configText({ name, currency, taxRate, taxIncluded, shippingMethods }, { url, storeId, key, ...rest }) {
  const config = { url, storeId, key, name, ...rest, currency, taxRate, taxIncluded, shippingMethods };
  return `// Written from the settings of the store; all of it may be read by everybody.\nexport default ${JSON.stringify(config, null, 2)};\n`;
}
