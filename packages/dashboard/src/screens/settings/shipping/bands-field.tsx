import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { AmountInput, amountRefusal, useGuard } from '../../../kit/form/amount-input.tsx';
import { Button, type Form, shopDecimals } from '../../../kit/index.ts';
import { kilogramDecimals } from '../../../kit/terms/weight.ts';
import { t } from '../../../words/words.ts';
import { type Band, bandRefusals, endOf, type MethodValues } from './values.ts';

const words = t.settings.shipping.bands;

/** Prices by weight or by subtotal, one band a row. */
export function BandsField({ form, currency }: { form: Form<MethodValues>; currency: string }) {
  const { rates, pricing } = form.values.value;
  const id = useId();
  const place = useRef<HTMLFieldSetElement>(null);
  const isAdded = useRef(false);
  const isByWeight = pricing === 'weight';
  // Of a row that was just added.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a row was added
  useLayoutEffect(() => {
    if (!isAdded.current) return;
    isAdded.current = false;
    place.current?.querySelector<HTMLElement>('.band:last-of-type input')?.focus();
  }, [rates.length]);
  useGuard(form, () => {
    const now = form.values.value;
    if (now.pricing === 'one') return {};
    const amounts = now.rates.flatMap(({ upTo, price }, i) => [
      [`rates.${i}.price`, amountRefusal(price, shopDecimals())],
      ...(now.pricing === 'subtotal' ? [[`rates.${i}.upToSubtotal`, amountRefusal(upTo, shopDecimals())]] : []),
    ]);
    return { ...bandRefusals(now), ...Object.fromEntries(amounts.filter(([, said]) => said !== undefined)) };
  });
  const put = (next: Band[]) => {
    form.errors.value = Object.fromEntries(
      Object.entries(form.errors.value).filter(([name]) => !name.startsWith('rates')),
    );
    form.set('rates', next);
  };
  const last = rates.at(-1);
  const unit = isByWeight ? words.kilograms : currency;
  return (
    <fieldset class="bands" ref={place}>
      <legend>{isByWeight ? words.byWeight : words.bySubtotal}</legend>
      <p class="hint">{isByWeight ? words.weightHint : words.subtotalHint}</p>
      <Reason id={`${id}-all`} said={form.errors.value.rates} />
      {rates.length > 0 && (
        <div class="band head" aria-hidden="true">
          <span>{words.upTo(unit)}</span>
          <span>{words.price(currency)}</span>
        </div>
      )}
      {rates.map((band, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bands have no id
        <div key={i} class="band">
          {(['upTo', 'price'] as const).map((field) => {
            const name = `rates.${i}.${field === 'upTo' ? endOf[pricing] : 'price'}`;
            const reason = form.errors.value[name];
            const isEnd = field === 'upTo';
            return (
              <div key={field}>
                <AmountInput
                  id={`${id}-${i}-${field}`}
                  name={name}
                  aria-label={words.nth(i + 1, isEnd ? words.upTo(unit) : words.price(currency))}
                  aria-describedby={reason ? `${id}-${i}-${field}-reason` : undefined}
                  aria-invalid={reason ? 'true' : undefined}
                  placeholder={isEnd && i === rates.length - 1 && i > 0 ? words.open : undefined}
                  decimals={isEnd && isByWeight ? kilogramDecimals : shopDecimals()}
                  value={band[field]}
                  onValue={(value) => put(rates.with(i, { ...band, [field]: value }))}
                />
                <Reason id={`${id}-${i}-${field}-reason`} said={reason} />
              </div>
            );
          })}
          <Button
            kind="quiet"
            icon="trash"
            label={words.remove(i + 1)}
            onClick={() => put(rates.filter((_, n) => n !== i))}
          />
        </div>
      ))}
      <Button
        icon="plus"
        onClick={() => {
          isAdded.current = true;
          put([...rates, { upTo: '', price: '' }]);
        }}
      >
        {words.add}
      </Button>
      {last && last.upTo !== '' && <p class="hint">{isByWeight ? words.aboveWeight : words.aboveSubtotal}</p>}
    </fieldset>
  );
}

function Reason({ id, said }: { id: string; said: string | undefined }) {
  return said ? (
    <p class="reason" id={id} dir="auto">
      {said}
    </p>
  ) : null;
}
