/** The member states of the European Union, one area for VAT: Art. 5 of Directive 2006/112/EC. */
export const memberStates = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(
  ' ',
);

/** True for the code of a member state of the European Union. */
export function isMemberState(country: string): boolean {
  return memberStates.includes(country);
}
