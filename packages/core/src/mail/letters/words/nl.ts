import type { Words } from './words.ts';

export const nl: Words = {
  direction: 'ltr',
  colon: ':',
  greeting: (name) => (name ? `Beste ${name},` : 'Goedendag,'),
  ownerGreeting: 'Goedendag,',
  regards: 'Met vriendelijke groet,',
  questions: (email) => `Hebt u vragen? Mail ons op ${email}.`,
  goods: {
    item: 'Artikel',
    quantity: 'Aantal',
    amount: 'Bedrag',
    each: (price) => `${price} per stuk`,
    sku: (sku) => `Art.nr. ${sku}`,
    exempt: (reason) => `Geen herroepingsrecht: ${reason}`,
    more: { one: 'en nog # artikel', other: 'en nog # artikelen' },
    all: 'De hele bestelling',
  },
  totals: {
    subtotal: 'Subtotaal',
    discount: (code) => (code ? `Korting (${code})` : 'Korting'),
    shipping: (method) => (method ? `Bezorging (${method})` : 'Bezorging'),
    tax: (rate) => (rate ? `Btw (${rate})` : 'Btw'),
    taxIncluded: (rate) => (rate ? `Waarvan btw (${rate})` : 'Waarvan btw'),
    total: 'Totaal',
    refunded: 'Al terugbetaald',
  },
  labels: {
    order: 'Uw bestelling',
    shippingAddress: 'Bezorgadres',
    billingAddress: 'Factuuradres',
    paymentMethod: 'Betaalmethode',
    payment: 'Betaling',
    paid: 'Betaald',
    notPaid: 'Nog niet betaald',
    orderNumber: 'Bestelnummer',
    amountDue: 'Te betalen',
    reference: 'Betalingskenmerk',
    carrier: 'Vervoerder',
    trackingNumber: 'Trackingnummer',
    buyer: 'Klant',
    name: 'Naam',
    email: 'E-mail',
    phone: 'Telefoon',
    vatId: 'Btw-nummer',
    goods: 'Artikelen',
    ownNote: 'Uw bericht aan ons',
    buyersNote: 'Bericht van de klant',
    giftNote: 'Cadeaubericht',
    receivedAt: 'Ontvangen op',
    refund: 'Terugbetaling',
    product: 'Product',
    stock: 'Op voorraad',
  },
  buttons: {
    order: 'Bestelling bekijken',
    track: 'Pakket volgen',
    // Art. 11a(1) of Directive 2011/83/EU allows any unambiguous label; this one says what the Dutch law calls it.
    withdraw: 'Overeenkomst herroepen',
    dashboard: 'Openen in het beheer',
  },
  withdraw: {
    heading: 'Herroepingsrecht',
    text: 'Hebt u zich bedacht? Binnen de bedenktijd kunt u de overeenkomst online herroepen. U hoeft geen reden te geven.',
    partly: 'Dit geldt niet voor de artikelen waarbij hierboven staat dat er geen herroepingsrecht is.',
  },
  attached: {
    terms: 'Onze algemene voorwaarden vindt u in de bijlage.',
    withdrawal: 'De informatie over uw herroepingsrecht vindt u in de bijlage.',
    both: 'Onze algemene voorwaarden en de informatie over uw herroepingsrecht vindt u in de bijlagen.',
  },
  confirmed: {
    subject: (number, shop) => `Uw bestelling ${number} bij ${shop}`,
    heading: 'Bedankt voor uw bestelling',
    intro: (number, day) =>
      day
        ? `Hierbij bevestigen wij uw bestelling ${number} van ${day}.`
        : `Hierbij bevestigen wij uw bestelling ${number}.`,
    paid: 'We hebben uw betaling ontvangen.',
    howToPay: 'Zo betaalt u',
  },
  waiting: {
    subject: (number) => `Betaal uw bestelling ${number}`,
    heading: 'Bedankt voor uw bestelling',
    intro: (number, day) =>
      day ? `We hebben uw bestelling ${number} van ${day} ontvangen.` : `We hebben uw bestelling ${number} ontvangen.`,
    ask: (total) => `Wilt u nu ${total} betalen?`,
    after: 'Zodra uw betaling binnen is, laten we het u weten.',
  },
  shipped: {
    subject: (number) => `Uw bestelling ${number} is onderweg`,
    heading: 'Uw pakket is onderweg',
    intro: (number) => `We hebben zojuist een pakket van uw bestelling ${number} verzonden.`,
    goods: 'In dit pakket',
    rest: 'De rest van uw bestelling volgt apart.',
  },
  delivered: {
    subject: (number) => `Uw bestelling ${number} is bezorgd`,
    heading: 'Uw bestelling is bezorgd',
    intro: (number) => `Uw bestelling ${number} is bezorgd. Veel plezier ermee!`,
    after: 'Ontbreekt er iets of is er iets beschadigd? Laat het ons weten, dan lossen we het op.',
  },
  refunded: {
    subject: (number) => `Terugbetaling van uw bestelling ${number}`,
    heading: 'Uw terugbetaling is onderweg',
    intro: (number, amount) => `We hebben u ${amount} van uw bestelling ${number} terugbetaald.`,
    how: 'Meestal krijgt u het geld terug op de manier waarop u hebt betaald. Afhankelijk van uw bank kan dat enkele dagen duren.',
  },
  cancelled: {
    subject: (number) => `Uw bestelling ${number} is geannuleerd`,
    heading: 'Uw bestelling is geannuleerd',
    intro: (number, day) =>
      day ? `Uw bestelling ${number} van ${day} is geannuleerd.` : `Uw bestelling ${number} is geannuleerd.`,
    moneyBack: (amount) => `U krijgt de betaalde ${amount} terug.`,
    nothingDue: 'U hoeft niets te betalen. Hebt u het geld al overgemaakt? Neem dan contact met ons op.',
  },
  withdrawalReceived: {
    subject: (number) => `We hebben uw herroeping ontvangen (${number})`,
    heading: 'We hebben uw herroeping ontvangen',
    intro: 'Dit is de verklaring die wij van u hebben ontvangen:',
    receiptOnly:
      'Dit bericht bevestigt dat wij uw verklaring hebben ontvangen. We bekijken die nu en laten u daarna weten hoe het verdergaat.',
  },
  newOrder: {
    subject: (number, total) => `Nieuwe bestelling ${number}: ${total}`,
    heading: 'U hebt een nieuwe bestelling',
    intro: (number) => `Bestelling ${number} is zojuist binnengekomen.`,
  },
  lowStock: {
    subject: { one: '# product is bijna op', other: '# producten zijn bijna op' },
    heading: 'Tijd om bij te bestellen',
    intro: { one: 'Van dit product is niet veel meer over:', other: 'Van deze producten is niet veel meer over:' },
  },
  ownerWithdrawal: {
    subject: (number) => `Herroeping van bestelling ${number}`,
    heading: 'Een klant herroept de overeenkomst',
    intro: 'Deze verklaring is bij uw winkel binnengekomen:',
    due: (day) =>
      `Is de herroeping geldig, betaal dan uiterlijk ${day} terug. U mag wachten tot de goederen terug zijn of tot de klant aantoont dat ze zijn teruggestuurd.`,
    unmatched: 'Er is geen bestelling met dit nummer en dit e-mailadres. Zoek de bestelling zelf op.',
    acknowledged:
      'De klant krijgt een bevestiging dat de verklaring is ontvangen. Daarmee wordt de herroeping niet aanvaard.',
  },
};
