// Prints the page's config.js for a running store, after a look whether the key is right:
//   COMMERCE_URL=https://api.shop.example STORE=0193… STOREFRONT_KEY=ck_pub_… node write-config.mjs > shop/config.js
import { configText } from './config-text.mjs';

const { COMMERCE_URL: url, STORE: storeId, STOREFRONT_KEY: key } = process.env;
if (!url || !storeId || !key) throw new Error('COMMERCE_URL, STORE and STOREFRONT_KEY are needed');
if (!key.startsWith('ck_pub_'))
  throw new Error('STOREFRONT_KEY: everybody can read it, so it has to begin with ck_pub_');
const response = await fetch(`${url}/stores/${storeId}/shop`, { headers: { Authorization: `Bearer ${key}` } });
const { error } = await response.json();
if (!response.ok) throw new Error(`${response.status}: ${error.message}`);
process.stdout.write(configText({ url, storeId, key }));
