// Receives webhooks of a store, and tells a warehouse what to pack. It needs no database of the store, only the secret of its subscription.
import { createServer, type Server } from 'node:http';
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from '@commerce/core/webhook';

/** A parcel to pack. */
export interface Parcel {
  order: string;
  lines: { sku: string; pieces: number }[];
}

export interface Options {
  secret: string;
  /** Packs a parcel; if it fails, the event comes again. */
  pack(parcel: Parcel): Promise<void>;
  /** True for an event that was handled before; yours asks a database. */
  isKnown(id: string): Promise<boolean>;
  /** Notes that an event was handled. */
  note(id: string): Promise<void>;
}

export function createReceiver(options: Options): Server {
  return createServer(async (request, response) => {
    try {
      const event = await verifyWebhook(request, options.secret);
      await handle(event, options);
      response.writeHead(204).end();
    } catch (error) {
      // What is not genuine is not worth another attempt; everything else is.
      const isRefused = error instanceof WebhookVerificationError;
      response.writeHead(isRefused ? 400 : 500).end(isRefused ? error.message : 'try again');
      if (!isRefused) console.error('an event could not be handled:', error);
    }
  });
}

async function handle(event: WebhookEvent, { pack, isKnown, note }: Options): Promise<void> {
  // The type of the event says what its data is.
  if (event.type !== 'order.paid' || (await isKnown(event.id))) return;
  const { orderNumber, items } = event.data;
  await pack({
    order: orderNumber,
    lines: items.map(({ skuSnapshot, titleSnapshot, quantity }) => ({
      sku: skuSnapshot ?? titleSnapshot,
      pieces: quantity,
    })),
  });
  await note(event.id);
}
