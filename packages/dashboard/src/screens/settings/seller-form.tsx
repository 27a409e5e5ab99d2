import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { Fields, FormView, type Options, Section, Shown, useLoad } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { groups, pages, withStored } from './form/fields.ts';
import { type FormProps, useSettings } from './form/use-settings.ts';

const words = t.settings.seller;

const readPages = async (signal: AbortSignal) =>
  (await had(api.GET('/stores/{storeId}/pages', { params: { path: at(), query: { limit: 200 } }, signal }))).items;

/** Who sells, and which pages have the texts that buyers must be able to read. */
export function SellerForm(props: FormProps) {
  const form = useSettings('seller', pages.seller, props);
  return (
    <FormView form={form}>
      <Section title={words.title}>
        <p class="quiet">{words.hint}</p>
        <Fields form={form} of={groups.seller} />
      </Section>
      {can('page.read') && (
        <Section title={words.texts.title}>
          <p class="quiet">{words.texts.hint}</p>
          <Texts form={form} />
        </Section>
      )}
    </FormView>
  );
}

function Texts({ form }: { form: ReturnType<typeof useSettings<typeof pages.seller>> }) {
  const loaded = useLoad('settings/pages', readPages);
  return (
    <Shown of={loaded} what={words.texts.what} rows={5}>
      {(found) => (
        <Fields
          form={form}
          of={groups.texts}
          but={Object.fromEntries(
            Object.keys(groups.texts).map((name) => [
              name,
              { options: optionsOf(found, form.values.value[name as keyof typeof groups.texts]) },
            ]),
          )}
        />
      )}
    </Shown>
  );
}

function optionsOf(found: readonly Schemas['Page'][], chosen: string): Options {
  const { none, draft, missing } = words.texts;
  const options = found.map(({ id, title, status }) => [id, status === 'published' ? title : draft(title)] as const);
  return withStored([['', none], ...options], chosen, () => missing);
}
