import { href } from '../../browser/places.ts';
import { Fields, FormView, Section } from '../../kit/index.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { agentRefusal } from './form/agent-fields.ts';
import { pages } from './form/fields.ts';
import { type FormProps, useSettings } from './form/use-settings.ts';

const words = t.settings.agents;

/** Whether shopping assistants can read the products, and under which host they find the shop. */
export function AgentsForm(props: FormProps) {
  const { item } = props.read;
  const form = useSettings('agents', pages.agents, props, { refused: agentRefusal });
  return (
    <FormView form={form}>
      <Section title={words.title}>
        <p class="quiet intro">{words.hint}</p>
        {item.productUrl === null && (
          <p class="notice">
            {filled(words.noAddress, { link: <a href={href('settings?tab=shop')}>{words.toShop}</a> })}
          </p>
        )}
        <Fields form={form} of={pages.agents} />
      </Section>
    </FormView>
  );
}
