export type { OwnTax, TaxAddress, TaxAnswer, TaxFunction, TaxRequest } from '../tax-function.ts';
export type { InvoiceSettings } from './invoices.ts';
export { isMemberState } from './member-states.ts';
export type { Party } from './parties.ts';
export type { PaymentKind, PaymentSetting } from './payments.ts';
export type { SellingSettings, Settings, SettingsChanges } from './settings.ts';
export type { ShippingBand, ShippingKind, ShippingMethod } from './shipping.ts';
export { proposedTaxes, starterRates } from './starter-rates.ts';
export type { TaxRateSetting, TaxScope, TaxSettings } from './taxes.ts';
