import { memberStates } from '../../../core/src/engine/settings/member-states.ts';
import { countryName } from './forms.ts';
import { locales } from './locales.ts';

/** The codes of ISO 3166-1. Browsers know the names of countries, but have no list of the codes. */
export const countryCodes: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
  'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
  'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT ' +
  'MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
  'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ ' +
  'UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
).split(' ');

/** All countries with their names, in the order of the language. */
export function countries(): readonly (readonly [code: string, name: string])[] {
  const { compare } = new Intl.Collator(locales);
  return countryCodes
    .map((code) => [code, countryName(code)] as const)
    .sort(([, one], [, other]) => compare(one, other));
}

/** Groups of countries that are chosen at once, by the names of `t.countries.groups`. */
export const countryGroups = {
  union: memberStates,
  nordic: ['DK', 'FI', 'IS', 'NO', 'SE'],
  benelux: ['BE', 'LU', 'NL'],
  german: ['AT', 'CH', 'DE'],
  northAmerica: ['CA', 'MX', 'US'],
} satisfies Record<string, readonly string[]>;

export type CountryGroup = keyof typeof countryGroups;

/** A group that is among some countries, with the members that are not. */
export interface FoundGroup {
  group: CountryGroup;
  without: string[];
}

/** Most members that a large group can lack, such as the shop's own country. */
const mostWithout = 3;

/** The groups among these countries, and the countries that are left. */
export function grouped(codes: readonly string[]): { groups: FoundGroup[]; left: string[] } {
  let left = [...codes];
  const groups: FoundGroup[] = [];
  for (const [group, members] of Object.entries(countryGroups) as [CountryGroup, readonly string[]][]) {
    const without = members.filter((code) => !left.includes(code));
    if (without.length > (members.length > 20 ? mostWithout : 0)) continue;
    groups.push({ group, without });
    left = left.filter((code) => !members.includes(code));
  }
  return { groups, left };
}
