// Where the store of the page is. Copy this to shop/config.js, or let write-config.mjs write it. Everything in it is public, including the
// key. The page asks the store for its name, currency, language and methods.
export default {
  url: 'https://api.shop.example',
  storeId: '0193…',
  // commerce keys create --name Page --preset storefront
  key: 'ck_pub_…',
  intro: 'Made by hand, sent by post.',
  filters: ['color', 'size'],
  // Products with the attribute "engraving" have a field, and the attribute's value stands below it.
  options: [{ name: 'Engraving', label: 'Engrave it with', maxLength: 20, attribute: 'engraving' }],
};
