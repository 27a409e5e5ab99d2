import { Fields, FormView, placesOf, Section } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { pages } from './form/fields.ts';
import { partiesRefusal, partyRowFields } from './form/party-fields.ts';
import { type FormProps, useSettings } from './form/use-settings.ts';

/** Who makes the goods of the shop, and who in the European Union answers for them. */
export function PartiesForm(props: FormProps) {
  const form = useSettings('parties', pages.parties, props, {
    places: ({ parties }) => placesOf('parties', parties, partyRowFields),
    refused: (error) => partiesRefusal(error, props.read.item.parties),
  });
  return (
    <FormView form={form}>
      <Section title={t.settings.parties.title}>
        <Fields form={form} of={pages.parties} />
      </Section>
    </FormView>
  );
}
