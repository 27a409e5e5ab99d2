// What the page has to know of its store. Copy this to shop/config.js, or let write-config.mjs write it from the store's settings.
// Everybody who opens the page can read it: nothing of it is secret, the key included.
export default {
  url: 'https://api.shop.example',
  storeId: '0193…',
  // commerce keys create --name Page --preset storefront
  key: 'ck_pub_…',
  name: 'Mugs & more',
  intro: 'Made by hand, sent by post.',
  locale: 'en-GB',

  // As `GET /settings` answers them, which takes a secret key. They are shown before the checkout; what is charged is the store's to say.
  currency: 'EUR',
  taxRate: '0.19',
  taxIncluded: true,
  shippingMethods: [
    { id: 'parcel', name: 'Parcel', price: '4.90', freeFrom: '60.00', countries: ['AT', 'DE'] },
    { id: 'world', name: 'Worldwide', price: '14.90', freeFrom: null, countries: null },
  ],
};
