// Settings of the page for its store. Copy this to shop/config.js, or let write-config.mjs write it from the store's settings. Everything
// in it is public, including the key.
export default {
  url: 'https://api.shop.example',
  storeId: '0193…',
  // commerce keys create --name Page --preset storefront
  key: 'ck_pub_…',
  name: 'Mugs & more',
  intro: 'Made by hand, sent by post.',
  locale: 'en-GB',

  // As `GET /settings` answers them, which takes a secret key. The page shows them before the checkout; the store decides what is charged.
  currency: 'EUR',
  taxRate: '0.19',
  taxIncluded: true,
  shippingMethods: [
    { id: 'parcel', name: 'Parcel', price: '4.90', freeFrom: '60.00', countries: ['AT', 'DE'] },
    { id: 'world', name: 'Worldwide', price: '14.90', freeFrom: null, countries: null },
  ],
};
