import { useEffect } from 'preact/hooks';
import { toApiError } from '../../api/errors.ts';
import { reasonOf } from '../../api/explain.ts';
import { can } from '../../api/session.ts';
import { Button, Section, Shown, shopDecimals, toast } from '../../kit/index.ts';
import { explain } from '../../kit/states.tsx';
import { t } from '../../words/words.ts';
import { VariantGrid } from './grid.tsx';
import { filledOptions, mistakeIn, type Product } from './options.ts';
import { OptionsEditor } from './options-editor.tsx';
import type { Row, Work } from './plan.ts';
import { useVariants, type Variants } from './use-variants.ts';

const words = t.variants;

/** The options of a product, and its variants as a grid. */
export function VariantsSection({
  product,
  onSaved,
  onOptions,
}: {
  product: Product;
  /** Reads the product again, which may have changed, too. */
  onSaved(): Promise<Product>;
  /** Receives the names of the stored options. */
  onOptions(names: readonly string[]): void;
}) {
  const variants = useVariants(product, onSaved);
  const { data } = variants.loaded;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the stored options are others
  useEffect(() => onOptions(data?.options.map(({ name }) => name) ?? []), [data]);
  return (
    <Section title={words.title} actions={<Total rows={variants.rows} />}>
      <Shown of={variants.loaded} what={words.these} rows={3}>
        {() => (
          <>
            {variants.options.length === 0 && <p class="quiet intro">{words.intro}</p>}
            <OptionsEditor variants={variants} />
            {variants.rows.length > 0 && <VariantGrid variants={variants} product={product} />}
            <SaveBar variants={variants} />
          </>
        )}
      </Shown>
    </Section>
  );
}

/** "6 variants, 252 in stock". */
function Total({ rows }: { rows: readonly Row[] }) {
  const stored = rows.flatMap(({ variant }) => variant ?? []);
  if (stored.length === 0) return null;
  const stock = stored.reduce((sum, { trackStock, stock: own }) => sum + (trackStock ? own : 0), 0);
  return (
    <p class="quiet">{words.total(stored.length, stored.some(({ trackStock }) => trackStock) ? stock : undefined)}</p>
  );
}

function SaveBar({ variants }: { variants: Variants }) {
  const { work, isDirty, busy, leftOut, rows } = variants;
  const save = async () => {
    const said = refusalOf(variants);
    if (said) return toast(said, { tone: 'bad' });
    try {
      const { done, failed } = await variants.save();
      if (failed === 0) toast(words.saved(done));
      else toast(words.partly(done, failed), { tone: 'bad' });
    } catch (thrown) {
      toast(explain(toApiError(thrown)).join('. '), { tone: 'bad' });
    }
  };
  if (!can('product.write')) return null;
  return (
    <div class="variants-bar">
      {leftOut > 0 && !isDirty && rows.length > 0 && (
        <Button kind="quiet" icon="plus" onClick={variants.offerAll}>
          {words.addMissing(leftOut)}
        </Button>
      )}
      <p class="quiet" role="status">
        {busy ? words.saving(busy.done, busy.of) : isDirty ? summary(work) : ''}
      </p>
      {isDirty && (
        <>
          <Button kind="quiet" onClick={variants.reset}>
            {t.kit.form.discard}
          </Button>
          <Button kind="primary" busy={busy !== undefined} onClick={() => void save()}>
            {words.save}
          </Button>
        </>
      )}
    </div>
  );
}

/** What saving will do: "2 new, 1 changed". */
function summary(work: readonly Work[]): string {
  const count = (kind: Work['kind']) => work.filter((one) => one.kind === kind).length;
  const parts = [words.new(count('create')), words.changed(count('update')), words.archived(count('archive'))];
  return parts.filter((text) => text !== '').join(', ');
}

/** Why the variants cannot be saved as they are typed. */
function refusalOf({ options, rows }: Variants): string | undefined {
  const wrong = mistakeIn(filledOptions(options));
  if (wrong) return words.mistakes[wrong.mistake](wrong.text);
  const decimals = shopDecimals();
  if (rows.some(({ cells }) => !/^\d+(?:\.\d+)?$/.test(cells.price))) {
    return reasonOf({ code: 'NOT_AN_AMOUNT', limits: { decimals } });
  }
  const stock = rows.find(({ cells }) => !/^-?\d{1,10}$/.test(cells.stock))?.cells.stock;
  return stock === undefined ? undefined : t.products.inPlace.notWhole(stock);
}
