import * as z from 'zod';
import { entity, written } from '../../fields/entity.ts';
import { exampleIds } from '../../fields/example-ids.ts';
import { kind, money, nullable, reference, requiredText } from '../../fields/kinds.ts';
import { objectOf } from '../../fields/nested.ts';
import { emailAddress, ruled, text } from '../../kernel/parse.ts';
import { parseWebAddress } from '../../kernel/url.ts';

/** A language tag of BCP 47 in its canonical form: `de-at` becomes `de-AT`. */
export const localeRule = text(35, 1)
  .transform((tag, check) => {
    const known = canonicalLocale(tag);
    if (known !== undefined) return known;
    check.addIssue({
      code: 'custom',
      message: 'must be a language tag, such as "de" or "de-AT"',
      input: tag,
      params: { code: 'NOT_OFFERED' },
    });
    return tag;
  })
  .meta({ examples: ['de-AT'] });

function canonicalLocale(tag: string): string | undefined {
  try {
    const [known] = Intl.getCanonicalLocales(tag);
    // The grammar also has languages of four to eight letters, such as "german". None is registered.
    return known !== undefined && new Intl.Locale(known).language.length <= 3 ? known : undefined;
  } catch {
    return undefined;
  }
}

/** The address of pages: a web address with `{slug}` or `{id}` in place of a part after the host. */
function addressRule(example: string) {
  const expected = `must be a web address with {slug} or {id}, such as "${example}"`;
  return text(2000, 1).refine(isAddressOfPages, ruled(expected, 'NOT_A_URL'));
}

function isAddressOfPages(address: string): boolean {
  // The URL parser removes some white space and escapes the rest.
  if (/\s/.test(address)) return false;
  const filled = ['a', 'b'].map((value) => address.replaceAll(/\{(?:slug|id)\}/g, value));
  const [one, other] = filled.map(parseWebAddress);
  if (!one || !other || filled.some((text) => /[{}]/.test(text))) return false;
  // With a placeholder in the host, the slug of a product would choose the machine that a buyer is sent to.
  return (
    one.href !== other.href && one.host === other.host && one.username + one.password === '' && other.username === ''
  );
}

const pageAddress = (example: string) => nullable(kind(addressRule(example), () => z.string(), 'text'));

const page = (words: string) => written(nullable(reference()), { words, example: exampleIds.page });

export const pagesShape = {
  /** The terms of sale. */
  terms: page('The terms of sale.'),
  /** What is done with data of buyers. */
  privacy: page('The privacy policy.'),
  /** Who runs the shop. */
  imprint: page('The imprint.'),
  /** How a buyer withdraws from a contract. */
  withdrawal: page('The right of withdrawal.'),
  /** Costs and times of delivery. */
  shipping: page('Costs and times of delivery.'),
};

const pagesEntity = entity(pagesShape, { words: 'Ids of the pages with texts that buyers must be able to read.' });

export const sellerShape = {
  /** The name of the person or company. */
  name: written(requiredText(255), {
    words: 'The name of the person or company.',
    example: 'Tea & Co Ltd',
    required: true,
  }),
  /** The postal address, without the name; its lines are separated by line breaks. */
  address: written(requiredText(500), {
    words: 'The postal address, without the name; its lines are separated by line breaks.',
    example: '12 St James Square\nLondon SW1Y 4LB\nUnited Kingdom',
    required: true,
  }),
  /** The e-mail at which buyers reach the seller. */
  email: written(
    kind(emailAddress, () => z.string(), 'text'),
    { words: 'The e-mail at which buyers reach the seller.', example: 'hello@shop.example', required: true },
  ),
  /** The telephone number. */
  phone: written(nullable(requiredText(50)), { words: 'The telephone number.', example: '+44 20 7946 0000' }),
  /** The VAT identification number. */
  vatId: written(nullable(requiredText(40)), { words: 'The VAT identification number.', example: 'DE123456788' }),
  /** The number at the tax office. It is for invoices: `GET /shop` does not answer it. */
  taxNumber: written(nullable(requiredText(40)), {
    words: 'The number at the tax office. It is for invoices: `GET /shop` does not answer it.',
    example: '12/345/67890',
  }),
  /** The public register and the number in it. */
  registration: written(nullable(requiredText(255)), {
    words: 'The public register and the number in it.',
    example: 'Companies House 01234567',
  }),
};

export const sellerEntity = entity(sellerShape, { words: 'Who sells, as the law asks a shop to say.' });

/** The settings that pages of a shop ask for. */
export const pageSettings = {
  /** Language of the shop, a tag of BCP 47. */
  locale: written(
    kind(localeRule, () => z.string(), 'word'),
    { words: 'Language of the shop, a tag of BCP 47.', example: 'de', initial: 'en' },
  ),
  /** Minimum subtotal of a checkout before discounts; null for none. */
  minSubtotal: written(nullable(money()), {
    words: 'Minimum subtotal of a checkout before discounts; null for none.',
    example: '20.00',
    input: { words: "A decimal string with at most the currency's decimals." },
  }),
  /** Ids of the pages with texts that buyers must be able to read. */
  pages: written(objectOf(pagesEntity), {
    words: 'Ids of the pages with texts that buyers must be able to read.',
    input: { words: 'Replaced as a whole: a page that is left out becomes null. Ids of pages of this store.' },
    initial: pagesEntity.initial,
    entries: pagesShape,
  }),
  /** Address of the page of a product, with `{slug}` or `{id}`. */
  productUrl: written(pageAddress('https://shop.example/p/{slug}'), {
    words: 'Address of the page of a product, with `{slug}` or `{id}`.',
    example: 'https://shop.example/p/{slug}',
  }),
  /** Address of a page of content, with `{slug}` or `{id}`. */
  pageUrl: written(pageAddress('https://shop.example/pages/{slug}'), {
    words: 'Address of a page of content, with `{slug}` or `{id}`.',
    example: 'https://shop.example/pages/{slug}',
  }),
  /** Who sells; null until it is said. */
  seller: written(nullable(objectOf(sellerEntity)), {
    words: 'Who sells; null until it is said.',
    input: { words: 'Replaced as a whole: a field that is left out becomes null.' },
    entries: sellerShape,
  }),
};
