import type { OrderInput } from '../../orders/inputs.ts';
import type { AttemptNotice } from '../notice.ts';
import { callProvider, jsonOf } from '../provider-api.ts';
import { listAt, objectAt, textAt } from '../reading.ts';

type Draft = Pick<AttemptNotice, 'draft' | 'draftProblem'>;

/**
 * The sold items, from Square's own order (`GET /v2/orders/{id}`). Each line names its product by `metadata.product_id`, else
 * `metadata.sku`, else by the SKU of its catalogue object.
 */
export async function squareOrderItems(apiBase: string, accessToken: string, orderId: string): Promise<Draft> {
  const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' };
  const ask = (path: string) => callProvider({ method: 'GET', url: `${apiBase}/v2/${path}`, headers });
  const problem = (draftProblem: string): Draft => ({ draft: null, draftProblem });

  const answer = await ask(`orders/${encodeURIComponent(orderId)}`);
  const lines = listAt(jsonOf(answer), 'order', 'line_items');
  if (answer.status !== 200 || lines.length === 0) {
    return problem(`Square does not return the items of its order ${orderId} (status ${answer.status})`);
  }
  const items: OrderInput['items'] = [];
  for (const line of lines) {
    const quantity = textAt(line, 'quantity') ?? '';
    if (!/^[1-9]\d{0,6}$/.test(quantity))
      return problem(`a line of Square's order has the quantity "${quantity}", not a whole number`);
    const productId = textAt(line, 'metadata', 'product_id');
    const sku = productId ? null : (textAt(line, 'metadata', 'sku') ?? (await skuOf(line)));
    if (!productId && !sku)
      return problem(`a line of Square's order does not name a product: ${textAt(line, 'name') ?? 'no name'}`);
    items.push({ ...(productId ? { productId } : { sku: sku ?? '' }), quantity: Number(quantity) });
  }
  return { draft: { items }, draftProblem: null };

  async function skuOf(line: object): Promise<string | null> {
    const objectId = textAt(line, 'catalog_object_id');
    if (objectId === null) return null;
    const object = await ask(`catalog/object/${encodeURIComponent(objectId)}`);
    return textAt(objectAt(jsonOf(object), 'object', 'item_variation_data'), 'sku');
  }
}
