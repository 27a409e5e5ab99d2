import {
  type Context,
  createPage,
  deletePage,
  getSettings,
  listPages,
  type Page,
  type Settings,
  updateSettings,
} from '@commerce/core';
import { mark } from './catalogue.ts';

type Name = keyof Settings['pages'];

/** The page of an order of `npm run storefront`, at its usual port. */
const orderUrl = 'http://127.0.0.1:4000/order.html#{token}';

const sample =
  '**This is a sample text of a demonstration, and no legal advice. Replace it with the text of your own shop before you sell.**';

/** The texts that buyers must be able to read, each marked as a sample. */
const texts: Record<Name, { title: string; content: string }> = {
  terms: {
    title: 'Terms',
    content: `${sample}

# Who sells

The seller is the one that the imprint names.

# The contract

Your order is an offer. The contract is concluded when we confirm it by e-mail.

# Prices

Prices contain the tax. Shipping is shown before you order.`,
  },
  privacy: {
    title: 'Privacy',
    content: `${sample}

# What we keep

Your name, your address and your e-mail, for as long as the order and the law need them.

# Your rights

You can ask what we know of you, and that it is corrected or erased.`,
  },
  imprint: {
    title: 'Imprint',
    content: `${sample}

This shop is a demonstration. Nothing is made, sold or sent here, and the payments are simulated.

# Who we would be

Demo shop
1 Example Street
12345 Exampletown

# How to reach us

shop@demo.example`,
  },
  withdrawal: {
    title: 'Right of withdrawal',
    content: `${sample}

# Fourteen days

You can withdraw from the contract within fourteen days after the delivery, without a reason. The link "withdraw from contract here" is at the foot of every page.

# What happens then

We confirm the receipt by e-mail, and give back the money within fourteen days.

# Exceptions

Goods that are made to your measure cannot be withdrawn from. The page of your order names them.`,
  },
  shipping: {
    title: 'Shipping',
    content: `${sample}

# Where we send to

Everywhere. The checkout shows what it costs to your country.

# How long it takes

Three days in the neighbourhood, two weeks to the other side of the world. As nothing is sent from this demonstration, it takes longer.`,
  },
};

const names = Object.keys(texts) as Name[];

/** Finds a demo page by its slug, or by another if the shop has its own page with that slug; `free` is the slug to use. */
async function findPage(shop: Context, slug: string): Promise<{ found?: Page; free: string }> {
  let free = slug;
  for (const candidate of [slug, `${slug}-demo`]) {
    const [page] = (await listPages(shop, { slug: candidate })).items;
    if (page?.seoKeywords === mark.keywords) return { found: page, free };
    if (page) free = `${slug}-demo`;
  }
  return { free };
}

/** Makes the missing sample pages, and names them in the settings where the shop names none. @returns the number of new pages */
export async function makePages(shop: Context): Promise<number> {
  const { pages, orderUrl: known } = await getSettings(shop);
  const wanted = { ...pages };
  let made = 0;
  for (const name of names) {
    const { found, free } = await findPage(shop, name);
    const input = { ...texts[name], slug: free, seoKeywords: mark.keywords, status: 'published' } as const;
    const page = found ?? (await createPage(shop, input));
    if (!found) made++;
    wanted[name] ??= page.id;
  }
  await updateSettings(shop, { pages: wanted, ...(known === null && { orderUrl }) });
  return made;
}

/** Deletes the sample pages and what the settings say of them. @returns their number */
export async function removePages(shop: Context): Promise<number> {
  const gone = new Set<string>();
  for (const name of names) {
    const { found } = await findPage(shop, name);
    if (found) gone.add(found.id);
  }
  const { pages, orderUrl: known } = await getSettings(shop);
  const kept = Object.fromEntries(names.map((name) => [name, gone.has(pages[name] ?? '') ? null : pages[name]]));
  await updateSettings(shop, { pages: kept, ...(known === orderUrl && { orderUrl: null }) });
  for (const id of gone) await deletePage(shop, id);
  return gone.size;
}
