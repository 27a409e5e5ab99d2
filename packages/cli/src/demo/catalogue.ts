/** Marks everything that `commerce demo` creates; `--remove` deletes only things with the mark. */
export const mark = {
  /** Prefix of the SKU of a product. */
  sku: 'DEMO-',
  /** The `seoKeywords` of a category. */
  keywords: 'demo data',
  /** Suffix of the alternative text of an image. */
  altText: ' (demo)',
  /** E-mail domain of the demo customers; it cannot be registered. */
  email: '@demo.example',
  /** The note of an order, with its number. */
  order: /\(demo (\d+)\)$/,
};

export type Shape = 'mug' | 'plate' | 'teapot' | 'vase' | 'candle' | 'cushion';

export interface DemoCategory {
  slug: string;
  name: string;
  description: string;
  below?: string;
}

export const categories: readonly DemoCategory[] = [
  { slug: 'kitchen', name: 'Kitchen', description: 'For breakfast, tea and everything after.' },
  { slug: 'mugs', name: 'Mugs', description: 'Thrown by hand, safe in the dishwasher.', below: 'kitchen' },
  { slug: 'plates', name: 'Plates', description: 'Stoneware that can be stacked.', below: 'kitchen' },
  { slug: 'teapots', name: 'Teapots', description: 'They pour without dripping.', below: 'kitchen' },
  { slug: 'living', name: 'Living', description: 'Small things for large evenings.' },
  { slug: 'vases', name: 'Vases', description: 'For one flower or for thirty.', below: 'living' },
  { slug: 'candles', name: 'Candles', description: 'Beeswax, nothing added.', below: 'living' },
  { slug: 'cushions', name: 'Cushions', description: 'Linen covers that can be washed.', below: 'living' },
];

export const colors = {
  indigo: '#34488f',
  sage: '#8ba888',
  sand: '#d9c3a0',
  terracotta: '#c0653f',
  charcoal: '#3d4145',
} as const;
export type Color = keyof typeof colors;

/** A product in several colours, each a variant. Prices are in hundredths of the currency unit. */
export interface DemoGroup {
  slug: string;
  title: string;
  description: string;
  shape: Shape;
  category: string;
  price: number;
  before?: number;
  /** Grams of a piece in its packing. */
  weight: number;
  colors: readonly Color[];
  sizes?: readonly string[];
  /** Why a buyer cannot withdraw from buying it. */
  withdrawalExempt?: string;
  brand: string;
  /** Id of the one of `parties` that makes it. */
  manufacturer: string;
  /** Id of the one who answers for it in the European Union, if the maker is elsewhere. */
  responsiblePerson?: string;
  safetyNotes?: string;
  unitPricing?: { measure: string; base: string };
  /** Attributes that all of its variants have. */
  attributes?: Record<string, string>;
}

/** Makers and responsible persons; the addresses are nobody's. */
export const parties = [
  {
    id: 'demo-pottery',
    name: 'Example Pottery GmbH (demo)',
    address: 'Beispielweg 1\n12345 Beispielstadt\nGermany',
    email: 'safety@pottery.demo.example',
    url: null,
  },
  {
    id: 'demo-apiary',
    name: 'Example Apiary Inc. (demo)',
    address: '1 Example Road\nExampletown, VT 05000\nUnited States',
    email: 'safety@apiary.demo.example',
    url: null,
  },
  {
    id: 'demo-importer',
    name: 'Example Import BV (demo)',
    address: 'Voorbeeldkade 1\n1000 AA Voorbeeldstad\nNetherlands',
    email: null,
    url: 'https://import.demo.example/',
  },
] as const;

const pottery = { brand: 'Example Pottery', manufacturer: 'demo-pottery' };

export const groups: readonly DemoGroup[] = [
  {
    slug: 'morning-mug',
    ...pottery,
    attributes: { engraving: 'up to 20 letters' },
    title: 'Morning mug',
    description: 'A mug of 300 ml with a handle for three fingers.',
    shape: 'mug',
    category: 'mugs',
    price: 1650,
    weight: 420,
    colors: ['indigo', 'sage', 'sand', 'terracotta'],
  },
  {
    slug: 'espresso-cup',
    ...pottery,
    title: 'Espresso cup',
    description: 'Small, thick, and warm for longer than the coffee lasts.',
    shape: 'mug',
    category: 'mugs',
    price: 1190,
    weight: 260,
    colors: ['charcoal', 'sand'],
  },
  {
    slug: 'dinner-plate',
    ...pottery,
    title: 'Dinner plate',
    description: 'A plate with a rim that sauce stays behind.',
    shape: 'plate',
    category: 'plates',
    price: 2400,
    weight: 780,
    colors: ['sand', 'sage', 'charcoal'],
    sizes: ['22 cm', '27 cm'],
  },
  {
    slug: 'afternoon-teapot',
    ...pottery,
    title: 'Afternoon teapot',
    description: 'A pot of one litre, with a sieve that can be taken out.',
    shape: 'teapot',
    category: 'teapots',
    price: 5400,
    weight: 1350,
    before: 5900,
    colors: ['indigo', 'terracotta'],
  },
  {
    slug: 'bottle-vase',
    ...pottery,
    title: 'Bottle vase',
    description: 'A slender vase for a single stem.',
    shape: 'vase',
    category: 'vases',
    price: 3200,
    weight: 950,
    colors: ['sage', 'terracotta', 'charcoal'],
  },
  {
    slug: 'beeswax-candle',
    brand: 'Example Apiary',
    manufacturer: 'demo-apiary',
    responsiblePerson: 'demo-importer',
    safetyNotes:
      'Never leave a burning candle alone.\nKeep it away from children and pets.\nKeep 10 cm between burning candles.',
    unitPricing: { measure: '320 g', base: '1 kg' },
    title: 'Beeswax candle',
    description: 'It burns for thirty hours and smells of honey.',
    shape: 'candle',
    category: 'candles',
    price: 1450,
    weight: 380,
    colors: ['sand', 'terracotta'],
  },
  {
    slug: 'linen-cushion',
    brand: 'Example Linen',
    manufacturer: 'demo-importer',
    title: 'Linen cushion',
    description: 'A cushion with a cover of washed linen.',
    withdrawalExempt: 'sewn to your measure (a sample of an exception)',
    shape: 'cushion',
    category: 'cushions',
    price: 3900,
    weight: 720,
    before: 4500,
    colors: ['indigo', 'sage', 'sand'],
    sizes: ['40 × 40', '50 × 50'],
  },
];

/** Input of a variant. */
export interface DemoProduct {
  sku: string;
  slug: string;
  title: string;
  group: DemoGroup;
  color: Color;
  attributes: Record<string, string>;
  price: number;
  stock: number;
}

/** Every variant. Some are nearly sold out, as in any shop. */
export const products: readonly DemoProduct[] = groups.flatMap((group) =>
  group.colors.flatMap((color) =>
    (group.sizes ?? ['']).map((size, i) => ({
      sku: [mark.sku + group.slug, color, size]
        .filter(Boolean)
        .join('-')
        .replace(/[^A-Za-z0-9-]+/g, '')
        .toUpperCase(),
      slug: [group.slug, color, size]
        .filter(Boolean)
        .join('-')
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/-$/, ''),
      title: `${group.title}, ${[color, size].filter(Boolean).join(', ')}`,
      group,
      color,
      attributes: { color, ...(size ? { size } : {}), ...group.attributes },
      price: group.price + i * 600,
      stock: color === 'charcoal' ? 22 : 48,
    })),
  ),
);

export const customers: readonly { name: string; street: string; city: string; postalCode: string; country: string }[] =
  [
    { name: 'Ada Lovelace', street: '12 St James Square', city: 'London', postalCode: 'SW1Y 4JH', country: 'GB' },
    { name: 'Émilie du Châtelet', street: '2 quai d’Anjou', city: 'Paris', postalCode: '75004', country: 'FR' },
    { name: 'Jürgen Weiß', street: 'Lindenstraße 8', city: 'Köln', postalCode: '50674', country: 'DE' },
    { name: '山田 花子', street: '1-2-3 Jinnan', city: '東京', postalCode: '150-0041', country: 'JP' },
    { name: 'Grace Hopper', street: '40 Battery Park', city: 'New York', postalCode: '10280', country: 'US' },
    { name: 'Søren Holm', street: 'Nyhavn 17', city: 'København', postalCode: '1051', country: 'DK' },
    { name: 'Lucía Fernández', street: 'Calle Mayor 5', city: 'Madrid', postalCode: '28013', country: 'ES' },
    { name: 'Katherine Johnson', street: '9 Langley Road', city: 'Hampton', postalCode: '23666', country: 'US' },
    { name: 'Zoë de Vries', street: 'Prinsengracht 263', city: 'Amsterdam', postalCode: '1016 GV', country: 'NL' },
    { name: 'Maryam Mirzakhani', street: '450 Serra Mall', city: 'Stanford', postalCode: '94305', country: 'US' },
  ];

export function emailOf(name: string, i: number): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z]+/g, '.')
    .replace(/^\./, '')
    .replace(/\.$/, '');
  return `${plain || `customer${i + 1}`}${mark.email}`;
}
