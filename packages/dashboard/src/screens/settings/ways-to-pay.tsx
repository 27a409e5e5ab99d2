import { Fields, FormView, formatMoney, Section } from '../../kit/index.ts';
import { countriesText } from '../../kit/terms/countries.ts';
import { providerNames } from '../../kit/terms/payment.ts';
import { t } from '../../words/words.ts';
import { pages, type Way } from './form/fields.ts';
import { SavedList } from './form/saved-list.tsx';
import { type FormProps, useSettings } from './form/use-settings.ts';
import { WayDialog } from './way-dialog.tsx';

const words = t.settings.ways;

/** The ways to pay in their order, and the limit of unpaid orders. */
export function WaysForm(props: FormProps) {
  const form = useSettings('ways', pages.ways, props);
  return (
    <>
      <SavedList<Way>
        {...props}
        name="paymentMethods"
        title={words.title}
        add={words.add}
        saved={words.saved}
        hint={t.settings.lists.hint}
        empty={
          <>
            <p>{words.empty}</p>
            <p class="quiet">{words.emptyHint}</p>
          </>
        }
        removeText={(isLast) => (isLast ? words.removeLast : words.removeText)}
        factsOf={(way) => factsOf(way, props.read.item.currency)}
        dialog={({ entry, ...rest }) => <WayDialog way={entry} {...rest} />}
      />
      <FormView form={form}>
        <Section title={words.open}>
          <Fields form={form} of={pages.ways} />
        </Section>
      </FormView>
    </>
  );
}

/** Type, countries and limits of a way to pay in one line. */
export function factsOf({ kind, provider, countries, minTotal, maxTotal }: Way, currency: string): string {
  const min = minTotal && formatMoney(minTotal, currency);
  const max = maxTotal && formatMoney(maxTotal, currency);
  const { limits } = words;
  return [
    provider ? providerNames[provider] : words.kinds[kind],
    countries && t.settings.lists.onlyCountries(countriesText(countries)),
    min && max ? limits.between(min, max) : min ? limits.from(min) : max && limits.to(max),
  ]
    .filter(Boolean)
    .join(' · ');
}
