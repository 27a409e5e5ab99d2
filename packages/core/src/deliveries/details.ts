import type * as z from 'zod';
import type { Context } from '../engine/context.ts';
import { once, optionalWords } from '../fields/answers.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { reading } from '../storage/run.ts';
import { lackingScopes } from '../webhooks/permission.ts';
import { webhookBody } from '../webhooks/signature.ts';
import { requireWebhook } from '../webhooks/webhooks.ts';
import { deliveryAnswer, findDelivery, testEvent, toDelivery } from './deliveries.ts';

export const deliveryDetailsAnswer = once(() =>
  deliveryAnswer()
    .extend({
      body: optionalWords(
        "The body of the request, without the data of people who were anonymised since; null if the event is no longer kept, or if the API key lacks the `read` scope of the event's resource.",
        `{"id":"${exampleIds.event}","type":"order.paid","event":"order.paid","timestamp":"2026-11-20T12:05:00.000Z","storeId":"${exampleIds.store}","data":{}}`,
      ),
    })
    .meta({ description: 'The delivery of one event to one subscription, with the body of the request.' }),
);

/** A delivery with the body that the subscriber receives. */
export type DeliveryDetails = z.output<ReturnType<typeof deliveryDetailsAnswer>>;

/**
 * Returns a delivery with the body of its request. `body` is null if the event is no longer kept, or if the key of the request cannot read
 * the event's resource.
 * @throws CommerceError `notFound`
 */
export async function getDelivery(ctx: Context, webhookId: string, id: string): Promise<DeliveryDetails> {
  await requireWebhook(ctx, webhookId);
  const row = await findDelivery(ctx, webhookId, id);
  const mayRead = row.event === testEvent || lackingScopes(ctx, [row.event]).length === 0;
  return { ...toDelivery(row), body: mayRead ? await readBody(ctx, row.event_id) : null };
}

/** The body of an event's deliveries. */
async function readBody({ engine: { storage }, store }: Context, eventId: string): Promise<string | null> {
  const event = await reading(storage, (db) =>
    db
      .selectFrom('events')
      .select(['id', 'type', 'created_at', 'data'])
      .where('store_id', '=', store.id)
      .where('id', '=', eventId)
      .executeTakeFirst(),
  );
  if (!event) return null;
  const { id, type, created_at: createdAt, data } = event;
  return webhookBody({ id, type, storeId: store.id, createdAt, data }).toString('utf8');
}
