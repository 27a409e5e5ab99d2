import type { StoreTable } from '../storage/tables/stores.ts';

/** One way in which a store ships. Amounts are decimal strings in the store's currency. */
export interface ShippingMethod {
  id: string;
  name: string;
  price: string;
  /** Subtotal before discounts from which shipping is free; null if it is never free. */
  freeFrom: string | null;
  /** ISO 3166 codes of two letters; null for everywhere. */
  countries: string[] | null;
}

/** Rules by which a store sells and counts. */
export interface SellingSettings {
  /** A fraction: "0.08" is 8 %. */
  taxRate: string;
  /** True when prices and shipping include the tax. */
  taxIncluded: boolean;
  shippingMethods: ShippingMethod[];
  /** Minutes for which a checkout holds its stock. */
  reservationMinutes: number;
  /** Maximum pieces of one product in an order by a storefront key. */
  maxQuantity: number;
  /** Origins of the pages that can call with a storefront key, and to which a buyer can return. */
  returnUrls: string[];
  /** Zone in which the shop counts its days, by its name in the IANA database. */
  timeZone: string;
}

export function toSellingSettings(row: StoreTable): SellingSettings {
  return {
    taxRate: row.tax_rate,
    taxIncluded: row.tax_included === 1,
    shippingMethods: JSON.parse(row.shipping_methods),
    reservationMinutes: row.reservation_minutes,
    maxQuantity: row.max_quantity,
    returnUrls: JSON.parse(row.return_urls),
    timeZone: row.time_zone,
  };
}
