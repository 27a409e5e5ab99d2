import type { Context } from '../engine/context.ts';
import { pageAddress } from '../feeds/row.ts';
import { cut, oneLine, plainText } from '../feeds/texts.ts';
import { breathe } from '../kernel/breathe.ts';
import { minorColumn } from '../kernel/money.ts';
import { parseWebAddress } from '../kernel/url.ts';
import type { Media } from '../media/fields.ts';
import { mediaById } from '../media/media.ts';
import type { Product } from '../products/fields.ts';
import { type Options, optionsOf } from './options.ts';
import type { Family, Shelves } from './read.ts';

/** Begins the id of what the protocol calls a product, if it is a variant group. */
export const groupPrefix = 'group:';

/** Characters of a description, and of those of variants in a list of products. */
const maxDescription = 5000;
const maxShort = 200;

/** Characters of a description that are read for a short one: markup takes room. */
const readForShort = 2000;

/** Categories and images of a product in an answer. */
const maxCategories = 20;
const maxImages = 10;

/** Variants that are printed before other work has its turn. */
const printedAtOnce = 4;

/** How much of each product is told. */
export interface Extent {
  /** Tells descriptions and images of every variant in full. */
  isFull: boolean;
}

/** Prints products as the protocol spells them. One printer is for one answer. */
export class Printer {
  readonly #ctx: Context;
  readonly #origin: string | undefined;
  readonly #shelves: Shelves;
  readonly #extent: Extent;
  /** Texts that were read: variants mostly share theirs. */
  readonly #plain = new Map<string, string>();
  #media: ReadonlyMap<string, Media> = new Map();
  #printed = 0;

  /** @param origin the address of the service, for images that it serves itself; undefined if it is not known */
  constructor(ctx: Context, origin: string | undefined, shelves: Shelves, extent: Extent) {
    this.#ctx = ctx;
    this.#origin = origin;
    this.#shelves = shelves;
    this.#extent = extent;
  }

  /** Reads the images of the products that will be printed. */
  async readMedia(families: readonly Family[]): Promise<void> {
    const ids = families.flatMap(({ members }) =>
      members.flatMap((product, i) => imageIds(product).slice(0, i === 0 ? maxImages : this.#imagesOfVariant)),
    );
    this.#media = await mediaById(this.#ctx, [...new Set(ids)]);
  }

  get #imagesOfVariant(): number {
    return this.#extent.isFull ? maxImages : 1;
  }

  /**
   * A product with its variants.
   * @param variants the members to show, if not all of them
   */
  async print(family: Family, variants: readonly Product[] = family.members) {
    const [head] = family.members as [Product];
    const options = optionsOf(family.members);
    const shown: ReturnType<Printer['variant']>[] = [];
    for (const variant of variants) {
      shown.push(this.variant(variant, options));
      if (++this.#printed % printedAtOnce === 0) await breathe();
    }
    const description = this.#textOf(head, true);
    const categories = this.#shelves.slugsOf(head).slice(0, maxCategories);
    const media = this.#mediaOf(head, maxImages);
    return {
      id: productId(head),
      handle: head.slug,
      title: oneLine(head.title),
      description: { plain: description },
      ...this.#urlOf(head),
      ...(categories.length > 0 && { categories: categories.map((value) => ({ value, taxonomy: 'merchant' })) }),
      price_range: { min: this.#price(family.min), max: this.#price(family.max) },
      ...(media.length > 0 && { media }),
      ...(options.size > 0 && {
        options: [...options].map(([name, values]) => ({ name, values: [...values].map((label) => ({ label })) })),
      }),
      variants: shown,
    };
  }

  variant(product: Product, options: Options) {
    const { price, priorPrice, sku, gtin, unitPricing, slug, id } = product;
    const own = ownOptions(product, options);
    const media = this.#mediaOf(product, this.#imagesOfVariant);
    const labels = own.map(({ label }) => label).join(' / ');
    const amount = minorColumn(price);
    const list = priorPrice === null ? 0 : minorColumn(priorPrice);
    const unit = unitPricing && this.#unitPrice(unitPricing);
    return {
      id,
      ...(sku !== null && { sku }),
      ...(gtin !== null && { barcodes: [{ type: 'GTIN', value: gtin }] }),
      handle: slug,
      title: labels === '' ? oneLine(product.title) : cut(labels, 255),
      description: { plain: this.#textOf(product, this.#extent.isFull) },
      ...this.#urlOf(product),
      price: this.#price(amount),
      ...(list > amount && { list_price: this.#price(list) }),
      ...(unit && { unit_price: unit }),
      availability: availabilityOf(product),
      ...(own.length > 0 && { options: own }),
      ...(media.length > 0 && { media }),
      seller: { name: oneLine(this.#ctx.store.settings.seller?.name ?? this.#ctx.store.name) },
    };
  }

  #price(amount: number) {
    return { amount, currency: this.#ctx.store.currency };
  }

  #unitPrice({ measure, base, price }: NonNullable<Product['unitPricing']>) {
    const [one, other] = [partsOf(measure), partsOf(base)];
    // The protocol tells prices only for whole numbers of a unit.
    if (!Number.isInteger(other.value)) return undefined;
    return { ...this.#price(minorColumn(price)), measure: one, reference: other };
  }

  #urlOf({ slug, id }: Product) {
    const { productUrl } = this.#ctx.store.settings;
    return productUrl === null ? {} : { url: pageAddress(productUrl, { slug, id }) };
  }

  /** The description without markup; the title without one. */
  #textOf({ description, descriptionFormat, title }: Product, isWhole: boolean): string {
    const key = `${isWhole} ${descriptionFormat} ${description}`;
    let text = this.#plain.get(key);
    if (text === undefined) {
      const given = description ?? '';
      text = isWhole
        ? cut(plainText(given, descriptionFormat), maxDescription)
        : cut(plainText(given.slice(0, readForShort), descriptionFormat), maxShort);
      this.#plain.set(key, text);
    }
    return text === '' ? oneLine(title) : text;
  }

  #mediaOf(product: Product, most: number) {
    return imageIds(product)
      .slice(0, most)
      .flatMap((id) => {
        const media = this.#media.get(id);
        if (!media) return [];
        const address = media.url.startsWith('/') ? `${this.#origin ?? ''}${media.url}` : media.url;
        const url = parseWebAddress(address)?.href;
        if (url === undefined) return [];
        const { altText, width, height } = media;
        return [{ type: 'image', url, ...(altText && { alt_text: oneLine(altText) }), width, height }];
      });
  }
}

/** A product as the protocol spells it. */
export type UcpProduct = Awaited<ReturnType<Printer['print']>>;

/** The id of what the protocol calls a product. */
export function productId({ id, variantGroupId }: Product): string {
  return variantGroupId === null ? id : `${groupPrefix}${variantGroupId}`;
}

/** True if a product can be bought now. Its stock is what a storefront key sees of it. */
export function isAvailable({ trackStock, stock, allowBackorder }: Product): boolean {
  return !trackStock || stock > 0 || allowBackorder;
}

function availabilityOf(product: Product) {
  const isInStock = !product.trackStock || product.stock > 0;
  const status = isInStock ? 'in_stock' : product.allowBackorder ? 'backorder' : 'out_of_stock';
  return { available: isAvailable(product), status };
}

/** The options that define a variant. */
export function ownOptions({ attributes }: Product, options: Options): { name: string; label: string }[] {
  return [...options.keys()].flatMap((name) =>
    Object.hasOwn(attributes, name) ? [{ name, label: attributes[name] as string }] : [],
  );
}

function imageIds({ primaryMediaId, mediaIds }: Product): string[] {
  return [...new Set([...(primaryMediaId === null ? [] : [primaryMediaId]), ...mediaIds])];
}

function partsOf(measure: string): { value: number; unit: string } {
  const [value = '', unit = ''] = measure.split(' ');
  return { value: Number(value), unit };
}
