// Products for the stores of `scale.mjs`. They vary like those of a real shop, and are the same in every run.

/** Number of products with the rare word, and with the rare pair of attributes, in a store of any size. */
export const rareCount = 10;
export const rareWord = 'quetzal';
/** An order with the same metadata as the product with number `n`, of one of that product. One order in ten has the tag `rush`. */
export function catalogueOrder(n, sku) {
  const metadata = { 'erp.id': String(n), shelf: pick(colors, n, 24) };
  return { items: [{ sku, quantity: 1 }], metadata, tags: n % 10 === 0 ? ['rush'] : [] };
}

/** Three products in ten have this word in their description. */
export const commonWord = 'linen';
/** Each of the two is common; both together are on `rareCount` products. */
export const rarePair = { color: 'gold', material: 'denim' };
/** One product in 32 has both, so a page of 25 is full even in a store of 1,000. */
export const commonPair = { size: 'm', season: 'summer' };
export const variantsPerGroup = 5;

export const colors = [
  'red',
  'green',
  'blue',
  'black',
  'white',
  'yellow',
  'orange',
  'violet',
  'grey',
  'brown',
  'pink',
  'gold',
];
const sizes = ['xxs', 'xs', 's', 'm', 'l', 'xl', 'xxl', 'one size'];
const materials = ['cotton', 'wool', 'steel', 'oak', 'glass', 'leather', 'paper', 'ceramic', 'silk', 'denim'];
const seasons = ['spring', 'summer', 'autumn', 'winter'];
export const things = ['mug', 'shirt', 'poster', 'lamp', 'notebook', 'backpack', 'candle', 'blanket', 'chair', 'clock'];
const words =
  'light sturdy soft handmade folding classic modern small large quiet round warm daily travel garden kitchen office evening festive simple bright matte woven printed lined padded slim tall narrow heavy plain striped dotted'.split(
    ' ',
  );
const statuses = [
  'published',
  'published',
  'published',
  'published',
  'published',
  'published',
  'draft',
  'draft',
  'draft',
];

/** Spreads the numbers of the products evenly and without a pattern, so that no two properties correlate. */
function scattered(n, salt) {
  let hash = Math.imul(n + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97);
  return (hash ^ (hash >>> 15)) >>> 0;
}

const pick = (list, n, salt) => list[scattered(n, salt) % list.length];

/**
 * The product with number `n` of a store with `count` products.
 * @param categoryIds the store's categories; the first has the most products
 */
export function catalogueProduct(n, count, categoryIds) {
  // Spread evenly over the store, so that some are old and some are new.
  const rare = n < count && n % Math.floor(count / rareCount) === 0;
  const color = rare ? rarePair.color : pick(colors, n, 1);
  const size = pick(sizes, n, 2);
  const drawn = pick(materials, n, 3);
  const material = rare ? rarePair.material : color === 'gold' && drawn === 'denim' ? 'silk' : drawn;
  const thing = pick(things, n, 4);
  const common = scattered(n, 5) % 10 < 3;
  const describing = Array.from({ length: 12 }, (_, i) => pick(words, n, 10 + i));
  if (common) describing.splice(6, 0, commonWord);
  if (rare) describing.splice(3, 0, rareWord);
  const category = Math.min(scattered(n, 6) % categoryIds.length, scattered(n, 7) % categoryIds.length);
  return {
    title: `${pick(words, n, 8)} ${color} ${thing} no. ${n}`,
    slug: `${thing}-${n}`,
    status: pick([...statuses, 'archived'], n, 9),
    description: `A ${describing.join(' ')} ${thing}.`,
    price: `${(n % 90) + 9}.90`,
    sku: `SKU-${n}`,
    variantGroupId: `group-${Math.floor(n / variantsPerGroup)}`,
    attributes: { color, size, material, season: pick(seasons, n, 22), brand: `brand ${scattered(n, 23) % 200}` },
    // A shelf is as frequent as a color.
    metadata: { 'erp.id': String(n), shelf: pick(colors, n, 24) },
    categoryIds: [categoryIds[category]],
    trackStock: true,
    stock: 1_000_000,
  };
}
