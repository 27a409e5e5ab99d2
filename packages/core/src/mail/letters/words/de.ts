import type { Words } from './words.ts';

export const de: Words = {
  direction: 'ltr',
  colon: ':',
  greeting: (name) => (name ? `Guten Tag ${name},` : 'Guten Tag,'),
  ownerGreeting: 'Guten Tag,',
  regards: 'Mit freundlichen Grüßen',
  questions: (email) => `Haben Sie Fragen? Schreiben Sie uns an ${email}.`,
  goods: {
    item: 'Artikel',
    quantity: 'Menge',
    amount: 'Betrag',
    each: (price) => `je ${price}`,
    sku: (sku) => `Art.-Nr. ${sku}`,
    exempt: (reason) => `Vom Widerruf ausgeschlossen: ${reason}`,
    more: { one: 'und # weitere Position', other: 'und # weitere Positionen' },
    all: 'Die gesamte Bestellung',
  },
  totals: {
    subtotal: 'Zwischensumme',
    discount: (code) => (code ? `Rabatt (${code})` : 'Rabatt'),
    shipping: (method) => (method ? `Versand (${method})` : 'Versand'),
    tax: (rate) => (rate ? `MwSt. (${rate})` : 'MwSt.'),
    taxIncluded: (rate) => (rate ? `Darin enthaltene MwSt. (${rate})` : 'Darin enthaltene MwSt.'),
    total: 'Gesamtbetrag',
    refunded: 'Bereits erstattet',
  },
  labels: {
    order: 'Ihre Bestellung',
    shippingAddress: 'Lieferadresse',
    billingAddress: 'Rechnungsadresse',
    paymentMethod: 'Zahlungsart',
    payment: 'Zahlung',
    paid: 'Bezahlt',
    notPaid: 'Noch nicht bezahlt',
    orderNumber: 'Bestellnummer',
    amountDue: 'Zu zahlen',
    reference: 'Verwendungszweck',
    carrier: 'Versand durch',
    trackingNumber: 'Sendungsnummer',
    buyer: 'Kunde',
    name: 'Name',
    email: 'E-Mail',
    phone: 'Telefon',
    vatId: 'USt-IdNr.',
    goods: 'Artikel',
    ownNote: 'Ihre Nachricht an uns',
    buyersNote: 'Nachricht des Kunden',
    giftNote: 'Geschenknachricht',
    receivedAt: 'Eingegangen am',
    refund: 'Erstattung',
    product: 'Artikel',
    stock: 'Bestand',
  },
  buttons: {
    order: 'Bestellung ansehen',
    track: 'Sendung verfolgen',
    // The label that § 356a(1) of the German Civil Code names.
    withdraw: 'Vertrag widerrufen',
    dashboard: 'In der Verwaltung öffnen',
  },
  withdraw: {
    heading: 'Widerrufsrecht',
    text: 'Sie haben es sich anders überlegt? Innerhalb der Widerrufsfrist können Sie den Vertrag online widerrufen. Gründe müssen Sie nicht nennen.',
    partly: 'Das gilt nicht für die Artikel, die oben als vom Widerruf ausgeschlossen gekennzeichnet sind.',
  },
  attached: {
    terms: 'Unsere Allgemeinen Geschäftsbedingungen finden Sie im Anhang.',
    withdrawal: 'Die Widerrufsbelehrung finden Sie im Anhang.',
    both: 'Unsere Allgemeinen Geschäftsbedingungen und die Widerrufsbelehrung finden Sie im Anhang.',
  },
  confirmed: {
    subject: (number, shop) => `Ihre Bestellung ${number} bei ${shop}`,
    heading: 'Vielen Dank für Ihre Bestellung',
    intro: (number, day) =>
      day
        ? `hiermit bestätigen wir Ihre Bestellung ${number} vom ${day}.`
        : `hiermit bestätigen wir Ihre Bestellung ${number}.`,
    paid: 'Ihre Zahlung ist bei uns eingegangen.',
    howToPay: 'So bezahlen Sie',
  },
  waiting: {
    subject: (number) => `Bitte bezahlen Sie Ihre Bestellung ${number}`,
    heading: 'Vielen Dank für Ihre Bestellung',
    intro: (number, day) =>
      day
        ? `wir haben Ihre Bestellung ${number} vom ${day} erhalten.`
        : `wir haben Ihre Bestellung ${number} erhalten.`,
    ask: (total) => `Bitte bezahlen Sie jetzt ${total}.`,
    after: 'Sobald Ihre Zahlung eingegangen ist, schreiben wir Ihnen wieder.',
  },
  shipped: {
    subject: (number) => `Ihre Bestellung ${number} ist unterwegs`,
    heading: 'Ihr Paket ist unterwegs',
    intro: (number) => `wir haben soeben ein Paket zu Ihrer Bestellung ${number} verschickt.`,
    goods: 'In diesem Paket',
    rest: 'Der Rest Ihrer Bestellung folgt gesondert.',
  },
  delivered: {
    subject: (number) => `Ihre Bestellung ${number} ist angekommen`,
    heading: 'Ihre Bestellung ist angekommen',
    intro: (number) => `Ihre Bestellung ${number} wurde zugestellt. Wir wünschen Ihnen viel Freude damit!`,
    after: 'Fehlt etwas oder ist etwas beschädigt? Bitte sagen Sie uns Bescheid, wir kümmern uns darum.',
  },
  refunded: {
    subject: (number) => `Erstattung zu Ihrer Bestellung ${number}`,
    heading: 'Ihre Erstattung ist unterwegs',
    intro: (number, amount) => `wir haben Ihnen ${amount} zu Ihrer Bestellung ${number} erstattet.`,
    how: 'In der Regel erhalten Sie das Geld auf dem Weg zurück, auf dem Sie bezahlt haben. Je nach Bank kann es einige Tage dauern, bis es ankommt.',
  },
  cancelled: {
    subject: (number) => `Ihre Bestellung ${number} wurde storniert`,
    heading: 'Ihre Bestellung wurde storniert',
    intro: (number, day) =>
      day ? `Ihre Bestellung ${number} vom ${day} wurde storniert.` : `Ihre Bestellung ${number} wurde storniert.`,
    moneyBack: (amount) => `Den bezahlten Betrag von ${amount} erhalten Sie zurück.`,
    nothingDue:
      'Sie müssen nichts bezahlen. Falls Sie das Geld schon auf den Weg gebracht haben, schreiben Sie uns bitte.',
  },
  withdrawalReceived: {
    subject: (number) => `Ihr Widerruf ist eingegangen (${number})`,
    heading: 'Ihr Widerruf ist eingegangen',
    intro: 'wir haben von Ihnen folgende Erklärung erhalten:',
    receiptOnly:
      'Diese Nachricht bestätigt, dass Ihre Erklärung bei uns eingegangen ist. Wir sehen sie uns jetzt an und teilen Ihnen dann mit, wie es weitergeht.',
  },
  newOrder: {
    subject: (number, total) => `Neue Bestellung ${number}: ${total}`,
    heading: 'Sie haben eine neue Bestellung',
    intro: (number) => `soeben ist die Bestellung ${number} eingegangen.`,
  },
  lowStock: {
    subject: { one: '# Artikel wird knapp', other: '# Artikel werden knapp' },
    heading: 'Zeit zum Nachbestellen',
    intro: { one: 'von diesem Artikel ist nicht mehr viel da:', other: 'von diesen Artikeln ist nicht mehr viel da:' },
  },
  ownerWithdrawal: {
    subject: (number) => `Widerruf zur Bestellung ${number}`,
    heading: 'Ein Kunde widerruft den Vertrag',
    intro: 'diese Erklärung ist bei Ihrem Shop eingegangen:',
    due: (day) =>
      `Ist der Widerruf wirksam, erstatten Sie die Zahlung bis zum ${day}. Sie dürfen damit warten, bis die Ware zurück ist oder der Kunde nachweist, dass er sie abgesandt hat.`,
    unmatched: 'Zu dieser Nummer und E-Mail-Adresse gibt es keine Bestellung. Bitte suchen Sie selbst danach.',
    acknowledged:
      'Der Kunde erhält eine Bestätigung, dass seine Erklärung eingegangen ist. Der Widerruf wird damit nicht anerkannt.',
  },
};
