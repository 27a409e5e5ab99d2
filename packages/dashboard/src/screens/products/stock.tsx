import { api, at, hadItem, type Versioned } from '../../api/client.ts';
import { canCount } from '../../api/session.ts';
import { Button, Dialog, FormView, TextField, useForm } from '../../kit/index.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import type { Product } from './values.ts';

const words = t.products.stock;

/** The stock, with a way to change it. */
export function StockFacts({ product, onAdjust }: { product: Product; onAdjust?(): void }) {
  const { stock, trackStock } = product;
  if (!trackStock) return null;
  return (
    <div class="stock">
      <p>
        <span class="stock-number">{formatNumber(stock)}</span> <span class="quiet">{words.inStock}</span>
      </p>
      {onAdjust && canCount() && <Button onClick={onAdjust}>{words.adjust}</Button>}
    </div>
  );
}

/** Changes the stock by a difference, so that orders at the same time are kept. */
export function StockDialog({
  product,
  onDone,
  onClose,
}: {
  product: Product;
  onDone(saved: Versioned<Product>): void;
  onClose(): void;
}) {
  const { id, stock } = product;
  const form = useForm({
    key: `products/${id}/stock`,
    read: { values: { adjustment: '', reason: '' } },
    saved: words.saved,
    async save(_, __, all) {
      const typed = all.adjustment.trim().replace(/^\+/, '');
      const saved = await hadItem(
        api.POST('/stores/{storeId}/products/{id}/stock', {
          params: { path: at({ id }) },
          // A value that is not a number is sent as typed, so that the service reports it.
          body: {
            adjustment: (/^-?\d{1,10}$/.test(typed) ? Number(typed) : typed) as number,
            reason: all.reason || null,
          },
        }),
      );
      onDone(saved);
      return { values: all };
    },
  });
  const typed = form.values.value.adjustment.trim();
  const next = /^[+-]?\d{1,10}$/.test(typed) ? stock + Number(typed) : undefined;
  return (
    <Dialog title={words.title} onClose={onClose}>
      <FormView form={form} saveLabel={words.adjust}>
        <TextField
          form={form}
          name="adjustment"
          label={words.by}
          placeholder={words.example}
          hint={next === undefined ? words.now(stock) : words.afterwards(stock, next)}
        />
        <TextField form={form} name="reason" label={words.reason} hint={words.reasonHint} />
      </FormView>
    </Dialog>
  );
}
