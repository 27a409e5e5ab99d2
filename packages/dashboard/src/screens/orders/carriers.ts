import type { Schemas } from '../../api/types.ts';

/** Where a parcel goes, as far as a link needs it. */
type Destination = Pick<Schemas['AddressSnapshot'], 'country' | 'postalCode'> | null;

interface Carrier {
  /** The name that buyers read. */
  name: string;
  /** The page that follows a parcel. Number and destination are encoded for it; undefined if the destination lacks what it needs. */
  link(number: string, to: { country: string; postalCode: string }): string | undefined;
}

/** Usual carriers with the public pages that follow their parcels. */
export const carriers: readonly Carrier[] = [
  {
    name: 'DHL',
    link: (number) => `https://www.dhl.de/de/privatkunden/pakete-empfangen/verfolgen.html?piececode=${number}`,
  },
  { name: 'DHL Express', link: (number) => `https://www.dhl.com/global-en/home/tracking.html?tracking-id=${number}` },
  { name: 'UPS', link: (number) => `https://www.ups.com/track?tracknum=${number}` },
  { name: 'FedEx', link: (number) => `https://www.fedex.com/fedextrack/?trknbr=${number}` },
  { name: 'DPD', link: (number) => `https://tracking.dpd.de/status/en_US/parcel/${number}` },
  { name: 'GLS', link: (number) => `https://gls-group.eu/EU/en/parcel-tracking?match=${number}` },
  { name: 'Royal Mail', link: (number) => `https://www.royalmail.com/track-your-item#/tracking-results/${number}` },
  { name: 'USPS', link: (number) => `https://tools.usps.com/go/TrackConfirmAction?tLabels=${number}` },
  {
    name: 'PostNL',
    // Its page also asks where the parcel goes.
    link: (number, { country, postalCode }) =>
      country && postalCode ? `https://jouw.postnl.nl/track-and-trace/${number}-${country}-${postalCode}` : undefined,
  },
  { name: 'La Poste', link: (number) => `https://www.laposte.fr/outils/suivre-vos-envois?code=${number}` },
  { name: 'Colissimo', link: (number) => `https://www.laposte.fr/outils/suivre-vos-envois?code=${number}` },
  { name: 'Österreichische Post', link: (number) => `https://www.post.at/s/sendungsdetails?snr=${number}` },
  { name: 'Swiss Post', link: (number) => `https://www.post.ch/swisspost-tracking?formattedParcelCodes=${number}` },
  { name: 'InPost', link: (number) => `https://inpost.pl/sledzenie-przesylek?number=${number}` },
  { name: 'Bring', link: (number) => `https://tracking.bring.com/tracking/${number}` },
  { name: 'Posten', link: (number) => `https://sporing.posten.no/sporing/${number}` },
];

const compared = (name: string) => name.trim().toLowerCase();
const joined = (text: string) => text.replace(/\s+/g, '');

/** The page that follows a parcel of a carrier in the list; undefined for any other carrier, and without a number. */
export function linkTo(carrier: string, number: string, to: Destination = null): string | undefined {
  const found = carriers.find(({ name }) => compared(name) === compared(carrier));
  const code = encodeURIComponent(joined(number));
  if (!found || code === '') return undefined;
  return found.link(code, {
    country: encodeURIComponent(to?.country ?? ''),
    postalCode: encodeURIComponent(joined(to?.postalCode ?? '')),
  });
}
