import type { MailKind } from '../../engine/mail-kinds.ts';
import type { LetterData, LetterOrder } from './letter.ts';
import { type Language, wordingFor } from './words/languages.ts';

/** What a shop and a buyer wrote, in the language of the letter. */
const texts = {
  en: { exempt: 'engraved with your text', option: 'Engraving', note: 'Please leave the parcel with the neighbours.' },
  de: { exempt: 'mit Ihrem Text graviert', option: 'Gravur', note: 'Bitte geben Sie das Paket bei den Nachbarn ab.' },
  fr: { exempt: 'gravé avec votre texte', option: 'Gravure', note: 'Merci de laisser le colis chez les voisins.' },
  nl: { exempt: 'gegraveerd met uw tekst', option: 'Gravure', note: 'Graag het pakket bij de buren afgeven.' },
  es: { exempt: 'grabado con su texto', option: 'Grabado', note: 'Por favor, deje el paquete en casa de los vecinos.' },
  it: { exempt: 'inciso con il Suo testo', option: 'Incisione', note: 'Per favore, lasci il pacco ai vicini.' },
  pl: { exempt: 'grawerowane według życzenia', option: 'Grawerunek', note: 'Proszę zostawić paczkę u sąsiadów.' },
} satisfies Record<Language, { exempt: string; option: string; note: string }>;

/**
 * Believable facts for a preview of a letter, and for tests.
 * @param shop what is known of the shop that looks at it
 */
export function sampleData(kind: MailKind, locale: string, shop: Partial<LetterData['shop']> = {}): LetterData {
  const words = texts[wordingFor(locale).language];
  const isOwners = kind.startsWith('owner.');
  const isWithdrawal = kind.endsWith('withdrawal') || kind === 'withdrawal.received';
  const isPaid = kind !== 'order.payment_waiting';
  const address = ['Ada Lovelace', 'Linienstraße 12', '10178 Berlin'];
  const order: LetterOrder = {
    number: 'ORD-1001',
    placedAt: '2026-11-25T09:41:07.000Z',
    items: [
      {
        title: 'Espresso cup Aurora',
        variant: '80 ml',
        options: [],
        sku: 'CUP-AU-80',
        quantity: 2,
        unitPrice: '14.50',
        total: '29.00',
        withdrawalExempt: null,
      },
      {
        title: 'Spoon Solstice',
        variant: null,
        options: [{ name: words.option, text: 'A. L.' }],
        sku: 'SPN-SO',
        quantity: 1,
        unitPrice: '9.00',
        total: '9.00',
        withdrawalExempt: words.exempt,
      },
    ],
    subtotal: '38.00',
    discount: '3.80',
    discountCode: 'WELCOME10',
    shipping: '4.90',
    shippingMethod: 'DHL',
    tax: '6.24',
    taxIncluded: true,
    taxRate: '0.19',
    taxes: [{ rate: '0.19', amount: '6.24' }],
    total: '39.10',
    refundedAmount: kind === 'order.refunded' ? '14.50' : '0.00',
    currency: 'EUR',
    decimals: 2,
    shippingAddress: address,
    billingAddress: ['Lovelace Analytics', ...address],
    paymentMethod: isPaid ? 'PayPal' : 'SEPA',
    instructions: isPaid ? null : 'Morning Cups GmbH\nIBAN: DE02 1203 0000 0000 2020 51\nBIC: BYLADEM1001',
    isPaid,
    customerNote: words.note,
    giftNote: null,
  };
  return {
    kind,
    locale,
    timeZone: 'Europe/Berlin',
    shop: {
      name: 'Morning Cups',
      seller: {
        name: 'Morning Cups GmbH',
        address: 'Kastanienallee 5\n10435 Berlin',
        email: 'hello@morning-cups.example',
        phone: '+49 30 123456',
        vatId: 'DE123456789',
        registration: 'Amtsgericht Charlottenburg, HRB 123456',
      },
      footer: null,
      logoUrl: null,
      ...shop,
    },
    buyer: { name: 'Ada Lovelace', email: 'ada@example.com' },
    order,
    parcel:
      kind === 'order.shipped'
        ? {
            carrier: 'DHL',
            number: '00340434161094042557',
            url: 'https://tracking.example/?piece=00340434161094042557',
            items: [{ title: 'Espresso cup Aurora', variant: '80 ml', options: [], quantity: 2 }],
            isLast: false,
          }
        : null,
    refund: kind === 'order.refunded' ? { amount: '14.50' } : null,
    withdrawal: isWithdrawal
      ? {
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          orderNumber: 'ORD-1001',
          items: [{ title: 'Espresso cup Aurora', quantity: 1 }],
          isWhole: false,
          note: words.note,
          receivedAt: '2026-12-03T17:05:09.000Z',
          dueAt: '2026-12-17T17:05:09.000Z',
        }
      : null,
    products:
      kind === 'owner.low_stock'
        ? [
            { title: 'Espresso cup Aurora', sku: 'CUP-AU-80', stock: 3 },
            { title: 'Spoon Solstice', sku: null, stock: 0 },
          ]
        : [],
    links: {
      order: isOwners ? null : 'https://morning-cups.example/order#sample',
      withdraw: isOwners ? null : 'https://morning-cups.example/order#sample',
      dashboard: isOwners ? 'https://admin.morning-cups.example/dashboard' : null,
    },
    attached: kind === 'order.confirmed' || kind === 'order.payment_waiting' ? ['terms', 'withdrawal'] : [],
  };
}
