import { api, at, hadItem, type Versioned } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { Button, Dialog, FormView, TextField, useForm } from '../../kit/index.ts';
import type { Product } from './values.ts';

/** The stock, with a way to change it. */
export function StockFacts({ product, onAdjust }: { product: Product; onAdjust?(): void }) {
  const { stock, trackStock } = product;
  if (!trackStock) return null;
  return (
    <div class="stock">
      <p>
        <span class="stock-number">{stock.toLocaleString()}</span> <span class="quiet">in stock</span>
      </p>
      {onAdjust && can('product.write') && <Button onClick={onAdjust}>Adjust</Button>}
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
    saved: 'Stock changed.',
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
    <Dialog title="Adjust stock" onClose={onClose}>
      <FormView form={form} saveLabel="Adjust">
        <TextField
          form={form}
          name="adjustment"
          label="Change in pieces"
          placeholder="+12 or -1"
          hint={next === undefined ? `${stock} in stock now.` : `${stock} in stock now, ${next} afterwards.`}
        />
        <TextField form={form} name="reason" label="Reason" hint="For the audit log: a delivery, a count, breakage" />
      </FormView>
    </Dialog>
  );
}
