import {
  createApiKey,
  createDiscount,
  getSettings,
  listDiscounts,
  listProducts,
  openCommerce,
  requireStore,
  updateSettings,
} from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';

/**
 * Prepares a demo store for selling from a page. Adds its shipping methods, a discount, the addresses of the pages that buyers return to, and
 * a key that the page can contain. Settings that the store already has are kept.
 * @param {string} file
 * @param {string} origin of the page
 * @param {string | undefined} known a storefront key of an earlier start
 * @param {boolean} isPrerendered whether products and texts have a file each
 */
export async function prepareStore(file, origin, known, isPrerendered) {
  const commerce = await openCommerce({ storage: openSqlite({ file }) });
  try {
    const { id: storeId } = await requireStore(commerce.engine);
    const shop = await commerce.store(storeId);
    const { total } = await listProducts(shop, { search: 'DEMO-', limit: 1 });
    if (total === 0) {
      throw new Error(
        `${file} holds no demonstration, and its settings are left alone: use --dir FOLDER for a new one, or --config FILE for this shop`,
      );
    }
    const before = await getSettings(shop);
    const isOurs = (/** @type {string | null} */ url) => url === null || /^http:\/\/127\.0\.0\.1[:/]/.test(url);
    const amount = (/** @type {number} */ whole) => String(whole);
    await updateSettings(shop, {
      returnUrls: [...new Set([...before.returnUrls, origin])].slice(-10),
      // The page can be at another port than at the last start.
      ...(isOurs(before.orderUrl) && { orderUrl: `${origin}/order.html#{token}` }),
      ...(isOurs(before.productUrl) && {
        productUrl: `${origin}/${isPrerendered ? 'product-{slug}.html' : 'product.html?slug={slug}'}`,
      }),
      ...(isOurs(before.pageUrl) && {
        pageUrl: `${origin}/${isPrerendered ? 'page-{slug}.html' : 'page.html?slug={slug}'}`,
      }),
      ...(before.shippingMethods.length === 0 && {
        taxRate: '0.08',
        taxIncluded: true,
        shippingMethods: [
          {
            id: 'parcel',
            name: 'Parcel',
            rates: [
              { upToWeight: 10_000, price: amount(5) },
              { upToWeight: 30_000, price: amount(9) },
            ],
            freeFrom: amount(60),
            countries: ['AT', 'CH', 'DE', 'FR', 'GB', 'US'],
            deliveryDays: { min: 2, max: 4 },
          },
          {
            id: 'express',
            name: 'Express, tomorrow',
            price: amount(12),
            countries: ['AT', 'CH', 'DE', 'FR', 'GB', 'US'],
          },
          { id: 'world', name: 'Worldwide', price: amount(19), deliveryDays: { min: 7, max: 21 } },
          { id: 'shop', name: 'Pick it up at our shop', kind: 'pickup', price: amount(0) },
        ],
      }),
    });
    if (before.paymentMethods.length === 0) {
      const instructions =
        'Please transfer {total} {currency} to\nDemo Shop, DE02 1203 0000 0000 2020 51\nand name the order {orderNumber}. We send the goods when the money is there.';
      await updateSettings(shop, {
        paymentMethods: [
          // Each of them is offered while it is connected; one of them is simulated.
          { id: 'card', name: 'Card', kind: 'provider', provider: 'stripe' },
          { id: 'paypal', name: 'PayPal', kind: 'provider', provider: 'paypal' },
          { id: 'square', name: 'Square', kind: 'provider', provider: 'square' },
          { id: 'transfer', name: 'Bank transfer', kind: 'transfer', instructions },
        ],
      });
    }
    if ((await listDiscounts(shop, { code: 'WELCOME10' })).total === 0)
      await createDiscount(shop, { code: 'WELCOME10', type: 'percent', value: '10' });
    const identity = known === undefined ? undefined : await commerce.identities.authenticate(known);
    const key =
      identity?.store.id === storeId && known
        ? known
        : (await createApiKey(shop, { kind: 'storefront', name: 'Demo page' })).key;
    return { storeId, key };
  } finally {
    await commerce.close();
  }
}
