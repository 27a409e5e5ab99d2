import { languageName } from '../../../words/forms.ts';
import { locales } from '../../../words/locales.ts';

/** Languages that shops are written in. Browsers know their names, but have no list of them. */
const codes =
  'ar bg ca cs da de de-AT de-CH el en en-GB en-US es et eu fa fi fr fr-CH ga gl he hi hr hu id is it ja ka ko lt lv mk ms mt ' +
  'nb nl pl pt pt-BR ro ru sk sl sq sr sv th tr uk ur vi zh-Hans zh-Hant';

/** The languages with their names, in the order of the language of the dashboard. */
export function languages(): readonly (readonly [code: string, name: string])[] {
  const { compare } = new Intl.Collator(locales);
  return codes
    .split(' ')
    .map((code) => [code, languageName(code)] as const)
    .sort(([, one], [, other]) => compare(one, other));
}
