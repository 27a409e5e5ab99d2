import { type Language, type Wording, wordingFor } from '../mail/letters/words/languages.ts';
import type { ExemptionReason } from '../orders/fields.ts';

/** What an invoice says in one language, besides what letters say. Dates and amounts come as the language writes them. */
export interface InvoiceWords {
  invoice: string;
  creditNote: string;
  number: string;
  date: string;
  supplyDate: string;
  taxNumber: string;
  billTo: string;
  /** The invoice that a credit note is about. */
  refersToInvoice(number: string, day: string): string;
  /** The credit note whose refund failed. */
  refersToCreditNote(number: string, day: string): string;
  cancelled: string;
  reason: string;
  item: string;
  netUnitPrice: string;
  taxRate: string;
  amountWithTax: string;
  amountWithoutTax: string;
  lineDiscount(amount: string): string;
  net: string;
  tax: string;
  gross: string;
  /** Shipping that no tax falls on. */
  untaxed: string;
  credited: string;
  partOfOrder(number: string): string;
  page(number: string, of: string): string;
  /** By the reason for which no tax falls on it. */
  exempt: Record<ExemptionReason, string>;
}

const directive = '2006/112';

const wordsOf = {
  en: {
    invoice: 'Invoice',
    creditNote: 'Credit note',
    number: 'Number',
    date: 'Date of issue',
    supplyDate: 'Date of supply',
    taxNumber: 'Tax number',
    billTo: 'Billed to',
    refersToInvoice: (number, day) => `Credit note for invoice ${number} of ${day}.`,
    refersToCreditNote: (number, day) => `The refund of credit note ${number} of ${day} failed.`,
    cancelled: 'The order was cancelled.',
    reason: 'Reason',
    item: 'Item',
    netUnitPrice: 'Unit price without tax',
    taxRate: 'Tax rate',
    amountWithTax: 'Amount with tax',
    amountWithoutTax: 'Amount without tax',
    lineDiscount: (amount) => `less a discount of ${amount}`,
    net: 'Net',
    tax: 'Tax',
    gross: 'Gross',
    untaxed: 'not taxed',
    credited: 'Amount credited',
    partOfOrder: (number) => `Part of order ${number}`,
    page: (number, of) => `Page ${number} of ${of}`,
    exempt: {
      intraCommunity: `VAT-exempt intra-Community supply, Art. 138 of Directive ${directive}/EC.`,
      reverseCharge: `Reverse charge: the customer is liable for the VAT, Art. 196 of Directive ${directive}/EC.`,
      export: `VAT-exempt export, Art. 146 of Directive ${directive}/EC.`,
      other: 'Exempt from tax.',
    },
  },
  de: {
    invoice: 'Rechnung',
    creditNote: 'Rechnungskorrektur',
    number: 'Nummer',
    date: 'Rechnungsdatum',
    supplyDate: 'Lieferdatum',
    taxNumber: 'Steuernummer',
    billTo: 'Rechnung an',
    refersToInvoice: (number, day) => `Korrektur der Rechnung ${number} vom ${day}.`,
    refersToCreditNote: (number, day) =>
      `Die Erstattung zur Rechnungskorrektur ${number} vom ${day} ist fehlgeschlagen.`,
    cancelled: 'Die Bestellung wurde storniert.',
    reason: 'Grund',
    item: 'Artikel',
    netUnitPrice: 'Einzelpreis netto',
    taxRate: 'Steuersatz',
    amountWithTax: 'Betrag brutto',
    amountWithoutTax: 'Betrag netto',
    lineDiscount: (amount) => `abzüglich ${amount} Rabatt`,
    net: 'Netto',
    tax: 'Steuer',
    gross: 'Brutto',
    untaxed: 'unversteuert',
    credited: 'Gutgeschriebener Betrag',
    partOfOrder: (number) => `Teil der Bestellung ${number}`,
    page: (number, of) => `Seite ${number} von ${of}`,
    exempt: {
      intraCommunity: `Steuerfreie innergemeinschaftliche Lieferung, Art. 138 der Richtlinie ${directive}/EG.`,
      reverseCharge: `Steuerschuldnerschaft des Leistungsempfängers, Art. 196 der Richtlinie ${directive}/EG.`,
      export: `Steuerfreie Ausfuhrlieferung, Art. 146 der Richtlinie ${directive}/EG.`,
      other: 'Steuerfrei.',
    },
  },
  fr: {
    invoice: 'Facture',
    creditNote: 'Avoir',
    number: 'Numéro',
    date: 'Date d’émission',
    supplyDate: 'Date de livraison',
    taxNumber: 'Numéro fiscal',
    billTo: 'Facturé à',
    refersToInvoice: (number, day) => `Avoir sur la facture ${number} du ${day}.`,
    refersToCreditNote: (number, day) => `Le remboursement de l’avoir ${number} du ${day} a échoué.`,
    cancelled: 'La commande a été annulée.',
    reason: 'Motif',
    item: 'Article',
    netUnitPrice: 'Prix unitaire HT',
    taxRate: 'Taux de taxe',
    amountWithTax: 'Montant TTC',
    amountWithoutTax: 'Montant HT',
    lineDiscount: (amount) => `moins une remise de ${amount}`,
    net: 'HT',
    tax: 'Taxe',
    gross: 'TTC',
    untaxed: 'non taxé',
    credited: 'Montant de l’avoir',
    partOfOrder: (number) => `Partie de la commande ${number}`,
    page: (number, of) => `Page ${number} sur ${of}`,
    exempt: {
      intraCommunity: `Livraison intracommunautaire exonérée de TVA, art. 138 de la directive ${directive}/CE.`,
      reverseCharge: `Autoliquidation, art. 196 de la directive ${directive}/CE.`,
      export: `Exportation exonérée de TVA, art. 146 de la directive ${directive}/CE.`,
      other: 'Exonéré de taxe.',
    },
  },
  nl: {
    invoice: 'Factuur',
    creditNote: 'Creditnota',
    number: 'Nummer',
    date: 'Factuurdatum',
    supplyDate: 'Leverdatum',
    taxNumber: 'Fiscaal nummer',
    billTo: 'Factuur aan',
    refersToInvoice: (number, day) => `Creditnota bij factuur ${number} van ${day}.`,
    refersToCreditNote: (number, day) => `De terugbetaling van creditnota ${number} van ${day} is mislukt.`,
    cancelled: 'De bestelling is geannuleerd.',
    reason: 'Reden',
    item: 'Artikel',
    netUnitPrice: 'Prijs per stuk excl. btw',
    taxRate: 'Btw-tarief',
    amountWithTax: 'Bedrag incl. btw',
    amountWithoutTax: 'Bedrag excl. btw',
    lineDiscount: (amount) => `min ${amount} korting`,
    net: 'Excl. btw',
    tax: 'Btw',
    gross: 'Incl. btw',
    untaxed: 'onbelast',
    credited: 'Gecrediteerd bedrag',
    partOfOrder: (number) => `Deel van bestelling ${number}`,
    page: (number, of) => `Pagina ${number} van ${of}`,
    exempt: {
      intraCommunity: `Intracommunautaire levering, vrijgesteld van btw, art. 138 van Richtlijn ${directive}/EG.`,
      reverseCharge: `Btw verlegd, art. 196 van Richtlijn ${directive}/EG.`,
      export: `Uitvoer, vrijgesteld van btw, art. 146 van Richtlijn ${directive}/EG.`,
      other: 'Vrijgesteld van belasting.',
    },
  },
  es: {
    invoice: 'Factura',
    creditNote: 'Factura rectificativa',
    number: 'Número',
    date: 'Fecha de expedición',
    supplyDate: 'Fecha de entrega',
    taxNumber: 'Número fiscal',
    billTo: 'Facturar a',
    refersToInvoice: (number, day) => `Rectifica la factura ${number} del ${day}.`,
    refersToCreditNote: (number, day) => `El reembolso de la factura rectificativa ${number} del ${day} ha fallado.`,
    cancelled: 'El pedido se ha cancelado.',
    reason: 'Motivo',
    item: 'Artículo',
    netUnitPrice: 'Precio unitario sin impuestos',
    taxRate: 'Tipo impositivo',
    amountWithTax: 'Importe con impuestos',
    amountWithoutTax: 'Importe sin impuestos',
    lineDiscount: (amount) => `menos un descuento de ${amount}`,
    net: 'Base imponible',
    tax: 'Impuesto',
    gross: 'Total',
    untaxed: 'sin impuestos',
    credited: 'Importe abonado',
    partOfOrder: (number) => `Parte del pedido ${number}`,
    page: (number, of) => `Página ${number} de ${of}`,
    exempt: {
      intraCommunity: `Entrega intracomunitaria exenta de IVA, art. 138 de la Directiva ${directive}/CE.`,
      reverseCharge: `Inversión del sujeto pasivo, art. 196 de la Directiva ${directive}/CE.`,
      export: `Exportación exenta de IVA, art. 146 de la Directiva ${directive}/CE.`,
      other: 'Exento de impuestos.',
    },
  },
  it: {
    invoice: 'Fattura',
    creditNote: 'Nota di credito',
    number: 'Numero',
    date: 'Data di emissione',
    supplyDate: 'Data di consegna',
    taxNumber: 'Codice fiscale',
    billTo: 'Intestata a',
    refersToInvoice: (number, day) => `Nota di credito per la fattura ${number} del ${day}.`,
    refersToCreditNote: (number, day) => `Il rimborso della nota di credito ${number} del ${day} non è riuscito.`,
    cancelled: 'L’ordine è stato annullato.',
    reason: 'Motivo',
    item: 'Articolo',
    netUnitPrice: 'Prezzo unitario senza imposte',
    taxRate: 'Aliquota',
    amountWithTax: 'Importo con imposte',
    amountWithoutTax: 'Importo senza imposte',
    lineDiscount: (amount) => `meno uno sconto di ${amount}`,
    net: 'Imponibile',
    tax: 'Imposta',
    gross: 'Totale',
    untaxed: 'non imponibile',
    credited: 'Importo accreditato',
    partOfOrder: (number) => `Parte dell’ordine ${number}`,
    page: (number, of) => `Pagina ${number} di ${of}`,
    exempt: {
      intraCommunity: `Cessione intracomunitaria esente da IVA, art. 138 della direttiva ${directive}/CE.`,
      reverseCharge: `Inversione contabile, art. 196 della direttiva ${directive}/CE.`,
      export: `Esportazione esente da IVA, art. 146 della direttiva ${directive}/CE.`,
      other: 'Esente da imposte.',
    },
  },
  pl: {
    invoice: 'Faktura',
    creditNote: 'Faktura korygująca',
    number: 'Numer',
    date: 'Data wystawienia',
    supplyDate: 'Data dostawy',
    taxNumber: 'Numer podatkowy',
    billTo: 'Nabywca',
    refersToInvoice: (number, day) => `Korekta do faktury ${number} z dnia ${day}.`,
    refersToCreditNote: (number, day) => `Zwrot do faktury korygującej ${number} z dnia ${day} nie powiódł się.`,
    cancelled: 'Zamówienie zostało anulowane.',
    reason: 'Przyczyna',
    item: 'Towar',
    netUnitPrice: 'Cena netto',
    taxRate: 'Stawka podatku',
    amountWithTax: 'Wartość brutto',
    amountWithoutTax: 'Wartość netto',
    lineDiscount: (amount) => `minus rabat ${amount}`,
    net: 'Netto',
    tax: 'Podatek',
    gross: 'Brutto',
    untaxed: 'bez podatku',
    credited: 'Kwota korekty',
    partOfOrder: (number) => `Część zamówienia ${number}`,
    page: (number, of) => `Strona ${number} z ${of}`,
    exempt: {
      intraCommunity: `Wewnątrzwspólnotowa dostawa zwolniona z VAT, art. 138 dyrektywy ${directive}/WE.`,
      reverseCharge: `Odwrotne obciążenie, art. 196 dyrektywy ${directive}/WE.`,
      export: `Eksport zwolniony z VAT, art. 146 dyrektywy ${directive}/WE.`,
      other: 'Zwolnione z podatku.',
    },
  },
} satisfies Record<Language, InvoiceWords>;

/** The wording of invoices for a tag of BCP 47, with that of letters; English if its language has none. */
export function invoiceWordingFor(tag: string): Wording & { own: InvoiceWords } {
  const wording = wordingFor(tag);
  return { ...wording, own: wordsOf[wording.language] };
}
