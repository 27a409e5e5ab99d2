import { listProducts, type ProviderName, providerNames } from '@commerce/core';
import { configureSimulation, startProviderStub } from '@commerce/core/testing';
import { type Command, Option } from 'commander';
import { storeContext } from '../context.ts';
import { withCommerce } from '../database.ts';
import { newCommand, parsePort, storeOption } from '../input/options.ts';
import { runningServer, type ServerOptions, serverOption } from '../serve/server-option.ts';

interface Options extends ServerOptions {
  json?: boolean;
  store?: string;
  provider: ProviderName;
  port: number;
  pay?: boolean;
  decline?: boolean;
  replace?: boolean;
}

/** A shop that was set up with a stand-in, with the values that the instructions show. */
interface Shop {
  storeId: string;
  /** The SKU of a product for a test order. */
  sku: string;
}

/** Runs a stand-in for a provider, with pages on which a person pays, until it is stopped. */
export function simulateCheckoutCommand(): Command {
  return newCommand('checkout', 'simulate a provider for a running server: its API, payment pages and notifications', [
    'payments simulate checkout --provider paypal',
    'payments simulate checkout --pay --server http://127.0.0.1:3100 --port 8766',
  ])
    .addOption(storeOption())
    .addOption(new Option('--provider <name>', 'the payment provider').choices(providerNames).default('stripe'))
    .addOption(serverOption())
    .addOption(
      new Option('--port <number>', 'the port to listen on; 0 picks a free one').argParser(parsePort).default(8765),
    )
    .addOption(new Option('--pay', 'pay each payment page immediately').conflicts('decline'))
    .option('--decline', 'decline the card on each payment page immediately')
    .option('--replace', 'replace store settings that point to the real provider')
    .action((_: unknown, command: Command) => simulateCheckout(command.optsWithGlobals<Options>()));
}

async function simulateCheckout(options: Options): Promise<void> {
  const { provider, port, pay, decline } = options;
  const server = runningServer(options);
  const write = (value: object, text: string) =>
    process.stdout.write(`${options.json ? JSON.stringify(value) : text}\n`);
  const buyer = pay ? 'pay' : decline ? 'decline' : undefined;
  const stub = await startProviderStub({
    port,
    log: (line) => write({ line }, line),
    ...(buyer && { buyer }),
  });
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  try {
    const shop = await withCommerce(options, async (commerce): Promise<Shop> => {
      const ctx = await storeContext(commerce, options.store);
      const settings = stub.account(provider, `${server}/api/webhooks/${provider}/${ctx.store.id}`);
      await configureSimulation(ctx, provider, settings, { replace: options.replace === true });
      const [product] = (await listProducts(ctx, { status: 'published', limit: 1 })).items;
      return { storeId: ctx.store.id, sku: product?.sku ?? 'SKU' };
    });
    write(
      { provider, url: stub.url, server, storeId: shop.storeId },
      instructions({ ...options, server }, stub.url, shop),
    );
    await stopped;
  } finally {
    await stub.close();
  }
}

function instructions(
  { provider, server, pay, decline }: Options & { server: string },
  url: string,
  { storeId, sku }: Shop,
): string {
  const checkout = {
    provider,
    items: [{ sku, quantity: 1 }],
    customer: { email: 'ada@example.com' },
    successUrl: 'https://shop.example/thanks',
    cancelUrl: 'https://shop.example/cart',
  };
  const next =
    pay || decline
      ? `Its payment page is ${pay ? 'paid' : 'declined'} at once.`
      : 'Open the url in its answer in a browser.';
  return `${provider} is simulated at ${url}, and the store is set up with it. Create a checkout:

curl ${server}/stores/${storeId}/checkouts -H "Authorization: Bearer $COMMERCE_KEY" -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(checkout)}'

The store must allow the origin of successUrl and cancelUrl. ${next} Stop with Ctrl+C; the store then takes no payments through ${provider} until it is set up again.
`;
}
