import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { href, service } from '../../browser/places.ts';
import { CountriesInput } from '../../kit/form/countries-input.tsx';
import {
  actAfter,
  Button,
  Copy,
  Field,
  Fields,
  type Form,
  FormView,
  LinkButton,
  Section,
  useLoad,
  type ValuesOf,
} from '../../kit/index.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { columnNames, columnText, type feedFields, feedRefusal } from './form/feed-fields.ts';
import { pages, type Settings } from './form/fields.ts';
import { type FormProps, readSettings, useSettings } from './form/use-settings.ts';

const words = t.settings.feed;

type FeedForm = Form<ValuesOf<typeof feedFields>>;

/** The product feed: whether there is one, for which countries, what fills its columns, and its addresses. */
export function FeedForm(props: FormProps) {
  const { onSaved } = props;
  const { item } = props.read;
  const form = useSettings('feed', pages.feed, props, { refused: feedRefusal });
  const { 'feed.enabled': enabled } = pages.feed;
  return (
    <>
      <FormView form={form}>
        <Section
          title={words.title}
          actions={can('product.read') && <LinkButton to="products/feed">{words.report}</LinkButton>}
        >
          <p class="quiet intro">{words.hint}</p>
          {item.productUrl === null && (
            <p class="notice">
              {filled(words.needsAddress, { link: <a href={href('settings?tab=shop')}>{words.toShop}</a> })}
            </p>
          )}
          <Fields form={form} of={{ 'feed.enabled': enabled }} />
          <Field form={form} name="feed.targetCountries" label={words.countries} hint={words.countriesHint}>
            {({ name: _, ...control }) => (
              <CountriesInput
                {...control}
                value={form.values.value['feed.targetCountries']}
                onValue={(codes) => form.set('feed.targetCountries', codes)}
              />
            )}
          </Field>
        </Section>
        <Section title={words.columns}>
          <p class="quiet intro">{words.columnsHint}</p>
          <Columns form={form} />
        </Section>
      </FormView>
      {item.feed.enabled && item.feed.token !== null && (
        <Addresses settings={item} onRotated={async () => onSaved(await readSettings())} />
      )}
    </>
  );
}

/** Names of attributes of products, to choose from. */
async function attributeNames(signal: AbortSignal): Promise<string[]> {
  if (!can('product.read')) return [];
  return (await had(api.GET('/stores/{storeId}/products/attributes', { params: { path: at() }, signal }))).keys;
}

/** Which attribute fills which column: one row each. */
function Columns({ form }: { form: FeedForm }) {
  const loaded = useLoad('settings/attributes', attributeNames);
  const rows = form.values.value['feed.columns'];
  const reason = form.errors.value['feed.columns'];
  const put = (next: typeof rows) => form.set('feed.columns', next);
  const change = (i: number, row: (typeof rows)[number]) => put(rows.map((old, at) => (at === i ? row : old)));
  const used = new Set(rows.map(([column]) => column));
  return (
    <div class="field attributes" role="group" aria-label={words.columns}>
      {rows.map(([column, attribute], i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a new row has no name yet
        <div key={i} class="attribute">
          <select
            aria-label={words.column(i + 1)}
            aria-invalid={reason && column === '' ? 'true' : undefined}
            value={column}
            onChange={({ currentTarget }) => change(i, [currentTarget.value, attribute])}
          >
            <option value="">{words.chooseColumn}</option>
            {columnNames
              .filter((name) => name === column || !used.has(name))
              .map((name) => (
                <option key={name} value={name}>
                  {columnText(name)}
                </option>
              ))}
          </select>
          <input
            aria-label={words.attributeFor(column === '' ? words.nth(i + 1) : columnText(column))}
            placeholder={words.attribute}
            list="attribute-names"
            dir="auto"
            autoComplete="off"
            maxLength={64}
            value={attribute}
            onInput={({ currentTarget }) => change(i, [column, currentTarget.value])}
          />
          <Button
            kind="quiet"
            icon="trash"
            label={words.removeColumn(column === '' ? words.nth(i + 1) : columnText(column))}
            onClick={() => put(rows.filter((_, at) => at !== i))}
          />
        </div>
      ))}
      <datalist id="attribute-names">
        {loaded.data?.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {reason && <p class="reason">{reason}</p>}
      <div>
        <Button icon="plus" onClick={() => put([...rows, ['', '']])}>
          {words.addColumn}
        </Button>
      </div>
    </div>
  );
}

/** The addresses that search engines and marketplaces ask for. */
function Addresses({ settings, onRotated }: { settings: Settings; onRotated(): Promise<void> }) {
  const feeds = `${service}/feeds/${at().storeId}`;
  const all = [
    [words.addresses.tsv, `${feeds}/${settings.feed.token}/products.tsv`],
    [words.addresses.xml, `${feeds}/${settings.feed.token}/products.xml`],
    [words.addresses.sitemap, `${feeds}/sitemap.xml`],
  ] as const;
  const rotate = () =>
    actAfter(
      { title: words.rotate.title, text: words.rotate.text, yes: words.rotate.yes },
      async () => {
        await had(api.POST('/stores/{storeId}/settings/rotate-feed-token', { params: { path: at() } }));
        await onRotated();
      },
      words.rotate.done,
    );
  return (
    <Section
      title={words.addresses.title}
      actions={
        <Button kind="danger" onClick={() => void rotate()}>
          {words.rotate.action}
        </Button>
      }
    >
      <p class="quiet intro">{words.addresses.hint}</p>
      {all.map(([label, address]) => (
        <div key={label} class="field">
          <p class="label">{label}</p>
          <p class="shown-once">
            <code>{address}</code>
            <Copy text={address} what={label} />
          </p>
        </div>
      ))}
    </Section>
  );
}
