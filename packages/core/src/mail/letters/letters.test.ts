import { describe, expect, it } from 'vitest';
import { mailKinds } from '../../engine/mail-kinds.ts';
import type { LetterData, LetterItem, LetterOrder } from './letter.ts';
import { sampleData } from './sample.ts';
import { languages } from './words/languages.ts';
import { writeLetter } from './write.ts';

/** Mail programs cut what is longer. */
const maxBytes = 102 * 1024;

const every = mailKinds.flatMap((kind) => languages.map((language) => [kind, language] as const));

function withOrder(data: LetterData, changes: Partial<LetterOrder>): LetterData {
  if (!data.order) throw new Error('no order');
  return { ...data, order: { ...data.order, ...changes } };
}

const confirmed = (changes: Partial<LetterOrder> = {}, locale = 'en') =>
  withOrder(sampleData('order.confirmed', locale), changes);

const item: LetterItem = {
  title: 'Mug',
  variant: 'blue',
  options: [],
  sku: 'MUG-1',
  quantity: 2,
  unitPrice: '1.00',
  total: '2.00',
  withdrawalExempt: null,
};

/** The text that a reader of the HTML sees, without its elements. */
const seen = (html: string) =>
  html
    .slice(html.indexOf('<body'))
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

/** Replaces non-breaking blanks with ordinary ones. */
const plain = (words: string) => words.replace(/[\u00a0\u202f]/g, ' ');

describe.each(every)('%s in %s', (kind, language) => {
  const letter = writeLetter(sampleData(kind, language));

  it('has a text, the same in HTML, and no trace of a value that is missing', () => {
    const whole = [letter.subject, letter.text, seen(letter.html)].join('\n');
    expect(whole).not.toMatch(/\bundefined|\bnull\b|NaN|\[object|\$\{|#\d|Invalid Date/);
    expect(letter.html).toContain(`<html lang="${language}" dir="ltr">`);
    for (const line of letter.text.split('\n').filter((one) => /^\p{L}[\p{L} ]+[.!]$/u.test(one))) {
      expect(seen(letter.html)).toContain(line);
    }
    expect(letter.subject.length).toBeLessThanOrEqual(200);
  });

  it('ends with who sells', () => {
    for (const fact of [
      'Morning Cups GmbH',
      '10435 Berlin',
      'hello@morning-cups.example',
      'DE123456789',
      'HRB 123456',
    ]) {
      expect(letter.text.slice(letter.text.indexOf('--------------------'))).toContain(fact);
      expect(letter.html.slice(letter.html.indexOf('class="foot"'))).toContain(fact);
    }
  });

  it('keeps the facts that it is about, whatever the language', () => {
    const facts = kind === 'owner.low_stock' ? ['Espresso cup Aurora', '3'] : ['ORD-1001'];
    for (const fact of facts) for (const form of [letter.text, seen(letter.html)]) expect(form).toContain(fact);
  });
});

it.each(['en', 'de'])('reads as it was approved (%s)', async (language) => {
  for (const kind of mailKinds) {
    const { subject, text } = writeLetter(sampleData(kind, language));
    await expect(`${subject}\n\n${text}`).toMatchFileSnapshot(`__snapshots__/${language}/${kind}.txt`);
  }
});

describe('what the law asks for', () => {
  it.each(['order.confirmed', 'order.payment_waiting'] as const)('%s: Art. 8(7) of 2011/83/EU', (kind) => {
    const { text, html } = writeLetter(sampleData(kind, 'de'));
    for (const form of [plain(text), seen(html)]) {
      for (const fact of [
        'Espresso cup Aurora',
        '29,00 €',
        '39,10 €',
        'MwSt. (19 %)',
        'Versand (DHL)',
        'Linienstraße 12',
        'Kastanienallee 5',
        'hello@morning-cups.example',
        'Vom Widerruf ausgeschlossen: mit Ihrem Text graviert',
        'Vertrag widerrufen',
        'Allgemeinen Geschäftsbedingungen',
        'Widerrufsbelehrung',
      ]) {
        expect(form).toContain(fact);
      }
    }
    expect(html).toContain('href="https://morning-cups.example/order#sample"');
  });

  it('no link to withdraw if nothing can be withdrawn from, or if there is no page for it', () => {
    const exempt = confirmed({ items: [{ ...item, withdrawalExempt: 'perishable' }] });
    const without = { ...confirmed(), links: { order: null, withdraw: null, dashboard: null } };
    for (const data of [exempt, without]) expect(writeLetter(data).text).not.toContain('Withdraw from contract');
    const { text } = writeLetter(confirmed({ items: [item] }));
    expect(text).toContain('Withdraw from contract here:\nhttps://morning-cups.example/order#sample');
    expect(text).not.toContain('This does not apply');
  });

  it.each([
    [[], 'attached', false],
    [['terms'], 'Our terms and conditions are attached.', true],
    [['withdrawal'], 'The information about your right of withdrawal is attached.', true],
  ] as const)('mentions the texts that are attached: %j', (attached, sentence, isThere) => {
    expect(writeLetter({ ...confirmed(), attached }).text.includes(sentence)).toBe(isThere);
  });

  it('the receipt of a withdrawal holds the statement and its time to the second, and accepts nothing', () => {
    const { text, html } = writeLetter(sampleData('withdrawal.received', 'en'));
    for (const form of [text, seen(html)]) {
      for (const fact of [
        'Ada Lovelace',
        'ada@example.com',
        'ORD-1001',
        '1 × Espresso cup Aurora',
        'Please leave the parcel with the neighbours.',
        'December 3, 2026 at 6:05:09',
        'GMT+1',
      ]) {
        expect(form).toContain(fact);
      }
      expect(form).not.toMatch(/\baccept/i);
    }
    const whole = sampleData('withdrawal.received', 'en');
    if (!whole.withdrawal) throw new Error('no withdrawal');
    expect(
      writeLetter({ ...whole, order: null, withdrawal: { ...whole.withdrawal, items: [], isWhole: true, note: null } })
        .text,
    ).toContain('Items: The whole order');
  });

  it('a paid order that is cancelled gives the money back; an unpaid one asks for nothing', () => {
    const data = sampleData('order.cancelled', 'en');
    expect(writeLetter(data).text).toContain('You will get back the €39.10 that you paid.');
    const unpaid = writeLetter(withOrder(data, { isPaid: false })).text;
    expect(unpaid).not.toContain('get back');
    expect(unpaid).toContain('nothing for you to pay');
    const back = (changes: Partial<LetterOrder>) =>
      plain(writeLetter(withOrder(data, { isPaid: true, ...changes })).text);
    const paid = { total: '30.00', refundedAmount: '10.00' };
    expect(back(paid)).toContain('€20.00');
    for (const nothing of [
      { ...paid, refundedAmount: '30.00' },
      { total: '0.00', refundedAmount: '0.00' },
    ])
      expect(back(nothing)).not.toContain('get back');
  });

  it('tells how to pay', () => {
    const waiting = sampleData('order.payment_waiting', 'en');
    expect(writeLetter(waiting).text).toContain('  IBAN: DE02 1203 0000 0000 2020 51');
    expect(writeLetter(waiting).html).toContain('IBAN: DE02 1203 0000 0000 2020 51<br>');
    const onDelivery = confirmed({ isPaid: false, instructions: 'Pay when it arrives.' });
    expect(writeLetter(onDelivery).text).toContain('Pay when it arrives.');
    expect(writeLetter(confirmed({ instructions: 'Pay when it arrives.' })).text).not.toContain('Pay when it arrives.');
  });

  it('tells the owner about a statement that matches no order', () => {
    const data = sampleData('owner.withdrawal', 'en');
    const sentence = 'No order matches the number and the email address.';
    expect(writeLetter(data).text).not.toContain(sentence);
    expect(writeLetter({ ...data, order: null }).text).toContain(sentence);
    expect(writeLetter(data).text).toContain('refund the payment by December 17, 2026');
  });
});

describe('languages', () => {
  it.each([
    ['de-AT', 'de', '€ 39,10'],
    ['de-CH', 'de', 'EUR 39.10'],
    ['fr-CA', 'fr', '39,10 €'],
    ['pt-BR', 'en', '€39.10'],
    ['ar', 'en', '€39.10'],
    // Another calendar and other digits would change what the letter says.
    ['de-u-ca-buddhist-nu-arab', 'de', '39,10 €'],
    ['no such tag', 'en', '€39.10'],
  ])('%s is written in %s', (tag, language, total) => {
    const { html, text } = writeLetter(sampleData('order.confirmed', tag));
    expect(html).toContain(`lang="${language}"`);
    expect(plain(text)).toContain(`: ${total}\n`);
    expect(text).toContain('2026');
  });

  it.each([
    [1, 'Kończy się 1 produkt'],
    [2, 'Kończą się 2 produkty'],
    [5, 'Kończy się 5 produktów'],
    [12, 'Kończy się 12 produktów'],
    [22, 'Kończą się 22 produkty'],
    [25, 'Kończy się 25 produktów'],
  ])('Polish counts %i products', (count, subject) => {
    const products = Array.from({ length: count }, () => ({ title: 'Kubek', sku: null, stock: 1 }));
    expect(writeLetter({ ...sampleData('owner.low_stock', 'pl'), products }).subject).toBe(subject);
  });

  it('writes the times of the zone', () => {
    const data = { ...sampleData('withdrawal.received', 'de'), timeZone: 'America/New_York' };
    expect(writeLetter(data).text).toContain('3. Dezember 2026 um 12:05:09 GMT-5');
  });
});

describe('amounts', () => {
  it.each([
    ['HUF', 2, '1234.50', 'en', 'HUF 1,234.50'],
    ['HUF', 2, '1234.50', 'de', '1.234,50 HUF'],
    ['JPY', 0, '1234', 'en', '¥1,234'],
    ['KWD', 3, '1234.567', 'en', 'KWD 1,234.567'],
    ['KWD', 3, '1.000', 'fr', '1,000 KWD'],
    // Not a number that a float can hold.
    ['EUR', 2, '12345678901234.56', 'en', '€12,345,678,901,234.56'],
    ['EUR', 2, '99999999999999999.99', 'de', '99.999.999.999.999.999,99 €'],
  ])('%s with %i decimals: %s in %s', (currency, decimals, total, locale, written) => {
    const { text, html } = writeLetter(confirmed({ currency, decimals, total }, locale));
    expect(plain(text)).toContain(`: ${written}\n`);
    expect(plain(html)).toContain(`>${written}<`);
  });

  it('leaves out what is zero, and adds a tax that prices do not contain', () => {
    const none = writeLetter(
      confirmed({ discount: '0.00', shipping: '0.00', shippingMethod: null, tax: '0.00', taxes: [] }),
    ).text;
    expect(none).not.toMatch(/Discount|Delivery \(|Including|Refunded/);
    const taxes = [
      { rate: '0.0775', amount: '3.03' },
      { rate: '0.02', amount: '1.00' },
    ];
    const added = writeLetter(confirmed({ taxIncluded: false, taxes })).text;
    expect(added).toContain('Tax (7.75%): €3.03\nTax (2%): €1.00\nTotal: ');
    expect(writeLetter(confirmed({ shipping: '0.00' })).text).toContain('Delivery (DHL): €0.00');
  });
});

describe('hostile facts', () => {
  const hostile =
    '<script>alert(1)</script>"\'&\r\nBcc: all@evil.example\u202egnp.exe\u2066\u200f\u0000\u001b[31m\u0085\u2028\ufdd0\ud800';

  /** Every text of the facts is hostile; what our own code writes stays. */
  const poisoned = (value: unknown, key = ''): unknown => {
    const ours = ['kind', 'locale', 'timeZone', 'currency', 'attached', 'placedAt', 'receivedAt', 'dueAt'];
    const numbers = /^-?[\d.]+$/;
    if (ours.includes(key)) return value;
    if (typeof value === 'string') return numbers.test(value) ? value : hostile;
    if (Array.isArray(value)) return value.map((entry) => poisoned(entry));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, poisoned(entry, name)]));
  };

  it.each(every)('%s in %s', (kind, language) => {
    const { subject, text, html } = writeLetter(poisoned(sampleData(kind, language)) as LetterData);
    expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    for (const form of [subject, text, html]) {
      expect(form).not.toMatch(/[\u200f\u202a-\u202e\u2066-\u2069\ufdd0]/u);
      expect(form.isWellFormed()).toBe(true);
    }
    expect(html).not.toContain('<script');
    expect(html).not.toMatch(/<a [^>]*href="(?!https?:)/);
    expect(html).not.toMatch(/<img/);
    // In attributes too: the only ones are ours.
    expect(html.match(/ on\w+=/g)).toBeNull();
  });

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.example',
    'https://user:password@evil.example',
    `https://evil.example/${'a'.repeat(3000)}`,
    '',
  ])('%j is no link', (url) => {
    const data = sampleData('order.shipped', 'en');
    if (!data.parcel) throw new Error('no parcel');
    const links = { order: url, withdraw: url, dashboard: url };
    const { text, html } = writeLetter({
      ...data,
      parcel: { ...data.parcel, url },
      links,
      shop: { ...data.shop, logoUrl: url },
    });
    expect(html).not.toMatch(/<a |<img/);
    expect(text).not.toContain('Track your parcel');
  });

  it.each([
    ['Ada Lovelace', 'Hello Ada Lovelace,'],
    ['J. R. R. Tolkien-Müller', 'Hello J. R. R. Tolkien-Müller,'],
    ['You have won: https://evil.example', 'Hello,'],
    ['You have won, see evil.example', 'Hello,'],
    ['www evil', 'Hello,'],
    ['a@evil.example', 'Hello,'],
    ['x'.repeat(81), 'Hello,'],
    [null, 'Hello,'],
  ])('a buyer called %j is greeted with %j', (name, greeting) => {
    const { text } = writeLetter({ ...confirmed(), buyer: { name, email: null } });
    expect(text).toContain(`\n\n${greeting}\n\n`);
  });

  it('a link is written as an address', () => {
    const data = sampleData('order.shipped', 'en');
    if (!data.parcel) throw new Error('no parcel');
    const { html } = writeLetter({ ...data, parcel: { ...data.parcel, url: 'https://t.example/?a=1&b="><script>' } });
    expect(html).toContain('href="https://t.example/?a=1&amp;b=%22%3E%3Cscript%3E"');
  });

  it('the logo is the only picture', () => {
    const data = sampleData('order.confirmed', 'en', { name: 'A "B" & C', logoUrl: 'https://shop.example/logo.png' });
    const { html } = writeLetter(data);
    expect(html.match(/<img/g)).toHaveLength(1);
    expect(html).toContain('<img src="https://shop.example/logo.png" alt="A &quot;B&quot; &amp; C"');
    expect(html).not.toMatch(/url\(|@import|<link|<script|<iframe/);
  });

  it('titles of 10,000 characters are shortened, names do not break the subject', () => {
    const long = 'x'.repeat(10_000);
    const { subject, text, html } = writeLetter(
      withOrder(sampleData('order.confirmed', 'en', { name: long }), { items: [{ ...item, title: long, sku: long }] }),
    );
    expect(subject).toHaveLength(200);
    expect(subject.endsWith('…')).toBe(true);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(400);
    expect(Buffer.byteLength(html)).toBeLessThan(maxBytes);
  });
});

describe('long orders', () => {
  const items = (count: number, title = 'Espresso cup Aurora with saucer and spoon') =>
    Array.from({ length: count }, (_, index) => ({ ...item, title: `${title} ${index + 1}.` }));

  it('200 lines are shown', () => {
    const { html, text } = writeLetter(confirmed({ items: items(200) }));
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(maxBytes);
    for (const form of [html, text]) expect(form.match(/spoon \d+\./g)).toHaveLength(200);
    expect(html).not.toContain('more items');
  });

  it.each([
    ['500 lines', 'Espresso cup Aurora with saucer and spoon'],
    ['500 long titles that need escaping', '&"<>\''.repeat(49)],
  ])('%s: the table is shortened and says by how much, the text is whole', (_, title) => {
    const { html, text } = writeLetter(confirmed({ items: items(500, title) }));
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(maxBytes);
    expect(Buffer.byteLength(html)).toBeGreaterThan(maxBytes * 0.9);
    expect(text.match(/ \d+\.: €2/g)).toHaveLength(500);
    const rows = html.split('<th scope="row" align="left" style="font-weight:400">').length - 1;
    expect(rows).toBeGreaterThan(20);
    expect(html).toContain(`>and ${500 - rows} more items<`);
    // What comes after the table is there.
    for (const part of ['Withdraw from contract here', 'DE123456789', '</html>']) expect(html).toContain(part);
  });
});
