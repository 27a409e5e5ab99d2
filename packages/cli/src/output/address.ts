import type { AddressSnapshot } from '@commerce/core';
import { shown } from './print.ts';

/** An address as on a parcel, without empty lines. */
export function addressLines(address: AddressSnapshot): string[] {
  const { firstName, lastName, company, address1, address2, postalCode, city, region, country, phone } = address;
  const lines = [
    [firstName, lastName],
    [company],
    [address1],
    [address2],
    [postalCode, city, region],
    [country],
    [phone && `tel. ${phone}`],
  ];
  return lines
    .map((parts) =>
      parts
        .filter(Boolean)
        .map((part) => shown(String(part)))
        .join(' '),
    )
    .filter(Boolean);
}
