import {
  createApiKey,
  createDiscount,
  createPage,
  getSettings,
  listDiscounts,
  listPages,
  listProducts,
  openCommerce,
  requireStore,
  updateSettings,
} from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';

const imprint = `This shop is a demonstration. Nothing is made, sold or sent here, and the payments are simulated.

# Who we would be

Demo shop
1 Example Street
12345 Exampletown

# How to reach us

shop@demo.example`;

const shipping = `# Where we send to

Everywhere. The checkout shows what it costs to your country.

# How long it takes

Three days in the neighbourhood, two weeks to the other side of the world. As nothing is sent from this demonstration, it takes longer.`;

/**
 * Prepares a demo store for selling from a page. Adds its shipping methods, a discount, texts, the addresses that buyers may return to, and
 * a key that the page can contain. Settings that the store already has are kept.
 * @param {string} file
 * @param {string} origin of the page
 * @param {string | undefined} known a storefront key of an earlier start
 */
export async function prepareStore(file, origin, known) {
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
    const amount = (/** @type {number} */ whole) => String(whole);
    await updateSettings(shop, {
      returnUrls: [...new Set([...before.returnUrls, origin])].slice(-10),
      ...(before.shippingMethods.length === 0 && {
        taxRate: '0.08',
        taxIncluded: true,
        shippingMethods: [
          {
            id: 'parcel',
            name: 'Parcel',
            price: amount(5),
            freeFrom: amount(60),
            countries: ['AT', 'CH', 'DE', 'FR', 'GB', 'US'],
          },
          {
            id: 'express',
            name: 'Express, tomorrow',
            price: amount(12),
            countries: ['AT', 'CH', 'DE', 'FR', 'GB', 'US'],
          },
          { id: 'world', name: 'Worldwide', price: amount(19) },
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
    const texts = {
      imprint: { title: 'Imprint', content: imprint },
      shipping: { title: 'Shipping', content: shipping },
    };
    for (const [slug, text] of Object.entries(texts)) {
      if ((await listPages(shop, { slug })).total === 0) await createPage(shop, { slug, ...text, status: 'published' });
    }
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
