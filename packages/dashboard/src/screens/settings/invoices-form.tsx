import { href } from '../../browser/places.ts';
import { Fields, FormView, Section, timeZone } from '../../kit/index.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { pages } from './form/fields.ts';
import { numberLike } from './form/invoice-number.ts';
import { type FormProps, useSettings } from './form/use-settings.ts';

const words = t.settings.invoices;
const {
  'invoices.enabled': enabled,
  'invoices.on': on,
  'invoices.prefix': prefix,
  'invoices.creditPrefix': creditPrefix,
  'invoices.digits': digits,
  'invoices.keepYears': keepYears,
  'invoices.note': note,
} = pages.invoices;

/** Whether and when invoices are written, and their numbers. */
export function InvoicesForm(props: FormProps) {
  const form = useSettings('invoices', pages.invoices, props);
  const { seller } = props.read.item;
  const values = form.values.value;
  const year = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: timeZone() }).format(new Date());
  const like = (beginning: string) => numberLike(beginning, values['invoices.digits'], year);
  return (
    <FormView form={form}>
      <Section title={words.title}>
        <Fields
          form={form}
          of={{ 'invoices.enabled': enabled }}
          but={{ 'invoices.enabled': { hint: words.enabledHint } }}
        />
        {values['invoices.enabled'] && seller === null && (
          <p class="notice">
            {filled(words.needsSeller, { link: <a href={href('settings?tab=seller')}>{words.toSeller}</a> })}
          </p>
        )}
        <Fields form={form} of={{ 'invoices.on': on }} but={{ 'invoices.on': { hint: words.onHint } }} />
      </Section>
      <Section title={words.numbers}>
        <p class="quiet intro">{words.numbersHint}</p>
        <div class="field-row">
          <Fields
            form={form}
            of={{ 'invoices.prefix': prefix, 'invoices.creditPrefix': creditPrefix, 'invoices.digits': digits }}
            but={{
              'invoices.prefix': { hint: words.like(like(values['invoices.prefix'])) },
              'invoices.creditPrefix': { hint: words.like(like(values['invoices.creditPrefix'])) },
            }}
          />
        </div>
      </Section>
      <Section title={words.content}>
        <Fields form={form} of={{ 'invoices.note': note, 'invoices.keepYears': keepYears }} />
      </Section>
    </FormView>
  );
}
