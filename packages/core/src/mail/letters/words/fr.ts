import type { Words } from './words.ts';

export const fr: Words = {
  direction: 'ltr',
  colon: '\u00a0:',
  greeting: (name) => (name ? `Bonjour ${name},` : 'Bonjour,'),
  ownerGreeting: 'Bonjour,',
  regards: 'Cordialement,',
  questions: (email) => `Une question ? Écrivez-nous à ${email}.`,
  goods: {
    item: 'Article',
    quantity: 'Qté',
    amount: 'Montant',
    each: (price) => `${price} l’unité`,
    sku: (sku) => `Réf. ${sku}`,
    exempt: (reason) => `Sans droit de rétractation : ${reason}`,
    more: { one: 'et # autre article', other: 'et # autres articles' },
    all: 'Toute la commande',
  },
  totals: {
    subtotal: 'Sous-total',
    discount: (code) => (code ? `Remise (${code})` : 'Remise'),
    shipping: (method) => (method ? `Livraison (${method})` : 'Livraison'),
    tax: (rate) => (rate ? `TVA (${rate})` : 'TVA'),
    taxIncluded: (rate) => (rate ? `Dont TVA (${rate})` : 'Dont TVA'),
    total: 'Total',
    refunded: 'Déjà remboursé',
  },
  labels: {
    order: 'Votre commande',
    shippingAddress: 'Adresse de livraison',
    billingAddress: 'Adresse de facturation',
    paymentMethod: 'Mode de paiement',
    payment: 'Paiement',
    paid: 'Payée',
    notPaid: 'Pas encore payée',
    orderNumber: 'Numéro de commande',
    amountDue: 'Montant à payer',
    reference: 'Référence du paiement',
    carrier: 'Transporteur',
    trackingNumber: 'Numéro de suivi',
    buyer: 'Client',
    name: 'Nom',
    email: 'E-mail',
    phone: 'Téléphone',
    vatId: 'N° de TVA',
    goods: 'Articles',
    ownNote: 'Votre message',
    buyersNote: 'Message du client',
    giftNote: 'Message du cadeau',
    receivedAt: 'Reçue le',
    refund: 'Remboursement',
    product: 'Produit',
    stock: 'En stock',
  },
  buttons: {
    order: 'Voir ma commande',
    track: 'Suivre mon colis',
    // The label that Art. 11a(1) of Directive 2011/83/EU gives in its French version.
    withdraw: 'Renoncer au contrat ici',
    dashboard: 'Ouvrir dans l’administration',
  },
  withdraw: {
    heading: 'Droit de rétractation',
    text: 'Vous avez changé d’avis ? Vous pouvez vous rétracter en ligne pendant le délai de rétractation, sans donner de motif.',
    partly: 'Cela ne concerne pas les articles signalés ci-dessus comme exclus du droit de rétractation.',
  },
  attached: {
    terms: 'Vous trouverez nos conditions générales de vente en pièce jointe.',
    withdrawal: 'Vous trouverez les informations sur votre droit de rétractation en pièce jointe.',
    both: 'Vous trouverez en pièce jointe nos conditions générales de vente et les informations sur votre droit de rétractation.',
  },
  confirmed: {
    subject: (number, shop) => `Votre commande ${number} chez ${shop}`,
    heading: 'Merci pour votre commande',
    intro: (number, day) =>
      day
        ? `Nous vous confirmons votre commande ${number} du ${day}.`
        : `Nous vous confirmons votre commande ${number}.`,
    paid: 'Nous avons bien reçu votre paiement.',
    howToPay: 'Comment payer',
  },
  waiting: {
    subject: (number) => `Votre commande ${number} attend votre paiement`,
    heading: 'Merci pour votre commande',
    intro: (number, day) =>
      day
        ? `Nous avons bien reçu votre commande ${number} du ${day}.`
        : `Nous avons bien reçu votre commande ${number}.`,
    ask: (total) => `Nous vous remercions de régler maintenant la somme de ${total}.`,
    after: 'Nous vous écrirons dès que votre paiement nous sera parvenu.',
  },
  shipped: {
    subject: (number) => `Votre commande ${number} est en route`,
    heading: 'Votre colis est en route',
    intro: (number) => `Nous venons d’expédier un colis de votre commande ${number}.`,
    goods: 'Dans ce colis',
    rest: 'Le reste de votre commande suivra séparément.',
  },
  delivered: {
    subject: (number) => `Votre commande ${number} est arrivée`,
    heading: 'Votre commande est arrivée',
    intro: (number) => `Votre commande ${number} a été livrée. Nous espérons qu’elle vous plaira !`,
    after: 'Il manque quelque chose, ou un article est abîmé ? Dites-le-nous et nous trouverons une solution.',
  },
  refunded: {
    subject: (number) => `Remboursement de votre commande ${number}`,
    heading: 'Votre remboursement est en route',
    intro: (number, amount) => `Nous vous avons remboursé ${amount} sur votre commande ${number}.`,
    how: 'En règle générale, l’argent vous revient par le moyen de paiement que vous avez utilisé. Selon votre banque, cela peut prendre quelques jours.',
  },
  cancelled: {
    subject: (number) => `Votre commande ${number} a été annulée`,
    heading: 'Votre commande a été annulée',
    intro: (number, day) =>
      day ? `Votre commande ${number} du ${day} a été annulée.` : `Votre commande ${number} a été annulée.`,
    moneyBack: (amount) => `La somme de ${amount} que vous avez payée vous sera remboursée.`,
    nothingDue: 'Vous n’avez rien à payer. Si vous avez déjà envoyé un paiement, écrivez-nous.',
  },
  withdrawalReceived: {
    subject: (number) => `Nous avons reçu votre rétractation (${number})`,
    heading: 'Nous avons reçu votre rétractation',
    intro: 'Voici la déclaration que nous avons reçue de votre part :',
    receiptOnly:
      'Ce message accuse réception de votre déclaration. Nous allons maintenant l’examiner, puis nous vous indiquerons la suite.',
  },
  newOrder: {
    subject: (number, total) => `Nouvelle commande ${number} : ${total}`,
    heading: 'Vous avez une nouvelle commande',
    intro: (number) => `La commande ${number} vient d’arriver.`,
  },
  lowStock: {
    subject: { one: '# produit bientôt épuisé', other: '# produits bientôt épuisés' },
    heading: 'Il est temps de réapprovisionner',
    intro: { one: 'Il ne reste presque plus de ce produit :', other: 'Il ne reste presque plus de ces produits :' },
  },
  ownerWithdrawal: {
    subject: (number) => `Rétractation de la commande ${number}`,
    heading: 'Un client se rétracte',
    intro: 'Votre boutique a reçu cette déclaration :',
    due: (day) =>
      `Si la rétractation est valable, remboursez le paiement au plus tard le ${day}. Vous pouvez attendre d’avoir récupéré les articles ou que le client prouve qu’il les a renvoyés.`,
    unmatched: 'Aucune commande ne correspond à ce numéro et à cette adresse e-mail. Veuillez la rechercher vous-même.',
    acknowledged:
      'Le client reçoit un accusé de réception de sa déclaration. Cela ne vaut pas acceptation de la rétractation.',
  },
};
