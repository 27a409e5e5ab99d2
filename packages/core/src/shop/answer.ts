import * as z from 'zod';
import { pagesShape, sellerEntity } from '../engine/settings/pages.ts';
import { paymentKinds } from '../engine/settings/payments.ts';
import { settingsEntity } from '../engine/settings/settings.ts';
import { deliveryDays, shippingKinds } from '../engine/settings/shipping.ts';
import { count, once, optionalWords, words } from '../fields/answers.ts';

const shippingMethod = () =>
  z.object({
    id: words('The id, for a checkout.', 'standard'),
    name: words('The name that buyers see.', 'Standard, 2-3 days'),
    kind: z.enum(shippingKinds).meta({ description: 'How the goods reach the buyer.', examples: ['ship'] }),
    countries: countries('Codes of the countries that it serves; null for all.'),
    deliveryDays: deliveryDays(),
  });

const paymentMethod = () =>
  z.object({
    id: words('The id, for a checkout.', 'stripe'),
    name: words('The name that buyers know.', 'Stripe'),
    kind: z.enum(paymentKinds).meta({ description: 'How it is paid.', examples: ['provider'] }),
  });

const party = () =>
  z.object({
    id: words('The id, which products name.', 'maker'),
    name: words('The name.', 'Kettle Works Ltd'),
    address: words('The postal address.', '1 Mill Lane\nSheffield S1 2AB\nUnited Kingdom'),
    email: optionalWords('The e-mail.', 'safety@kettle.example'),
    url: optionalWords('The address of its pages.', 'https://kettle.example'),
  });

function countries(description: string) {
  return z
    .array(z.string())
    .nullable()
    .meta({ description, examples: [['DE', 'AT']] });
}

const slugs = () =>
  Object.fromEntries(
    Object.entries(pagesShape).map(([name, { facts }]) => [name, optionalWords(facts.words)]),
  ) as Record<keyof typeof pagesShape, ReturnType<typeof optionalWords>>;

/** What pages of a shop must know of it, as it is answered. */
export const shopAnswer = once(() => {
  const said = settingsEntity.answer().shape;
  return z
    .object({
      name: said.name,
      currency: said.currency,
      decimals: count('Decimals of the currency.', 2),
      country: said.country,
      locale: said.locale,
      timeZone: said.timeZone,
      taxIncluded: said.taxIncluded,
      shippingMethods: z.array(shippingMethod()).meta({ description: 'The ways to ship that buyers can choose.' }),
      paymentMethods: z.array(paymentMethod()).meta({ description: 'The ways to pay that pages can offer.' }),
      countries: countries('All countries that a shipping method serves; null for everywhere.'),
      minSubtotal: said.minSubtotal,
      pages: z.object(slugs()).meta({
        description:
          'Slugs of the pages with texts that buyers must be able to read; null for each that is not published.',
      }),
      productUrl: said.productUrl,
      pageUrl: said.pageUrl,
      seller: sellerEntity
        .answer()
        .omit({ taxNumber: true })
        .nullable()
        .meta({ description: 'Who sells, without the number at the tax office; null until it is said.' }),
      parties: z
        .array(party())
        .meta({ description: 'Manufacturers and responsible persons that products name.', examples: [[]] }),
      reservationMinutes: said.reservationMinutes,
    })
    .meta({ description: 'What pages of a shop must know of it before they sell.' });
});

/** What pages of a shop must know of it. */
export type Shop = z.output<ReturnType<typeof shopAnswer>>;
