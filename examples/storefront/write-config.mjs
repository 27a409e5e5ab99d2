// Prints the page's config.js from the settings of a running store:
//   COMMERCE_URL=https://api.shop.example STORE=0193… KEY=ck_live_… STOREFRONT_KEY=ck_pub_… node write-config.mjs > shop/config.js
// KEY needs the scope settings.read and is not written anywhere.
import { configText } from './config-text.mjs';

const { COMMERCE_URL: url, STORE: storeId, KEY: key, STOREFRONT_KEY: publicKey } = process.env;
if (!url || !storeId || !key || !publicKey) throw new Error('COMMERCE_URL, STORE, KEY and STOREFRONT_KEY are needed');
if (!publicKey.startsWith('ck_pub_'))
  throw new Error('STOREFRONT_KEY: everybody can read it, so it has to begin with ck_pub_');
const response = await fetch(`${url}/stores/${storeId}/settings`, { headers: { Authorization: `Bearer ${key}` } });
const { item, error } = await response.json();
if (!response.ok) throw new Error(`${response.status}: ${error.message}`);
process.stdout.write(configText(item, { url, storeId, key: publicKey }));
