import { t } from '../../../words/words.ts';
import { SavedList } from '../form/saved-list.tsx';
import type { FormProps } from '../form/use-settings.ts';
import { Calculator } from './calculator.tsx';
import { methodFacts } from './facts.ts';
import { MethodDialog } from './method-dialog.tsx';
import type { Method } from './prices.ts';

const words = t.settings.shipping;

/** The ways to ship in their order, and what a basket pays where. */
export function ShippingForm(props: FormProps) {
  const { shippingMethods, currency, country } = props.read.item;
  return (
    <>
      <SavedList<Method>
        {...props}
        name="shippingMethods"
        title={words.methods}
        add={words.add}
        saved={words.saved}
        hint={`${t.settings.lists.hint} ${words.first}`}
        empty={
          <>
            <p>{words.none}</p>
            <p class="quiet">{words.noneHint}</p>
          </>
        }
        removeText={(isLast) => (isLast ? words.removeLast : words.removeText)}
        factsOf={(method) => methodFacts(method, currency)}
        dialog={({ entry, ...rest }) => <MethodDialog method={entry} {...rest} />}
      />
      {shippingMethods.length > 0 && <Calculator methods={shippingMethods} currency={currency} home={country} />}
    </>
  );
}
