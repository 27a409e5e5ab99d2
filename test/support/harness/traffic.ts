import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningStub, signStripe, stripePaymentSucceeded } from '@commerce/core/testing';
import { fetch } from 'undici';

export interface TrafficShop {
  storeId: string;
  key: string;
  webhookSecret: string;
}

interface Item {
  id: string;
  price: string;
  orderId: string;
  url: string;
}

interface Answer {
  status: number;
  item: Item;
  etag: string;
}

type Request = [path: string, method: string, headers: Record<string, string>, body: string | undefined];

/** Milliseconds between two pieces of work of a lane: the test needs steady work, not much of it. */
const rest = 80;

/**
 * Clients of several servers of one shop. They switch to another server if one does not answer, and count the answers. They create
 * products, change their prices, order and pay, check out at Stripe, and read.
 */
export class Traffic {
  readonly urls: string[] = [];
  readonly products: string[] = [];
  /** Prices of the changed products, by their ids. */
  readonly prices = new Map<string, string>();
  /** Paid orders created by `POST /orders`; orders of checkouts are below. */
  readonly sold: string[] = [];
  readonly checkedOut: string[] = [];
  /** Answers that no client should receive. */
  readonly faults: string[] = [];
  readonly #shop: TrafficShop;
  readonly #stripe: RunningStub;
  #mug = '';
  #isOn = true;
  #turn = 0;

  /** @param stripe the provider of the checkouts, whose account tells `notify` of payments */
  constructor(shop: TrafficShop, stripe: RunningStub) {
    this.#shop = shop;
    this.#stripe = stripe;
  }

  /** Works until it is stopped; every started piece of work is finished. */
  async run(): Promise<void> {
    const mug = { title: 'Mug', slug: 'mug', price: '10', status: 'published', trackStock: true, stock: 100_000 };
    this.#mug = (await this.#post('/products', mug)).id;
    const lane = async (name: string, work: (id: string) => Promise<void>) => {
      for (let n = 0; this.#isOn; n++) {
        await work(`${name}-${n}`);
        await sleep(rest);
      }
    };
    await Promise.all([
      lane('a', (id) => this.#createProduct(id)),
      lane('b', () => this.#changePrice()),
      lane('c', (id) => this.#sell(id)),
      lane('d', (id) => this.#checkOut(id)),
      lane('reads', () => this.#read()),
    ]);
  }

  get paid(): string[] {
    return [...this.sold, ...this.checkedOut];
  }

  stop(): void {
    this.#isOn = false;
  }

  /** Passes a provider's notification to the first server that answers. */
  readonly notify = async ({ headers, body }: { headers: Record<string, string>; body: string }): Promise<number> => {
    return (await this.#ask(() => [`/api/webhooks/stripe/${this.#shop.storeId}`, 'POST', headers, body])).status;
  };

  async #createProduct(id: string): Promise<void> {
    this.products.push((await this.#post('/products', { title: `Cup ${id}`, slug: `cup-${id}`, price: '5' })).id);
  }

  /**
   * Changes the price of the next product, based on the version that was read. If the answer was lost, it finds the change already made.
   */
  async #changePrice(): Promise<void> {
    const product = this.products[this.prices.size];
    if (product === undefined) return;
    const price = `${6 + this.prices.size}.50`;
    for (;;) {
      const { item, etag } = await this.#get(`/products/${product}`);
      if (item.price === price) break;
      const headers = { 'content-type': 'application/json', 'if-match': etag };
      const path = this.#at(`/products/${product}`);
      const body = JSON.stringify({ price });
      await this.#ask(
        () => [path, 'PUT', this.#with(headers), body],
        (status) => status === 200 || status === 409,
      );
    }
    this.prices.set(product, price);
  }

  async #sell(id: string): Promise<void> {
    const order = { customer: { email: `${id}@x.example` }, items: [{ productId: this.#mug, quantity: 1 }] };
    const { id: orderId } = await this.#post('/orders', order);
    const event = stripePaymentSucceeded({ orderId, amount: 1000, paymentId: `pi_${id}`, eventId: `evt_${id}` });
    await this.#ask(() => {
      const { body, headers } = signStripe(event, this.#shop.webhookSecret, Date.now());
      return [`/api/webhooks/stripe/${this.#shop.storeId}`, 'POST', headers as Record<string, string>, String(body)];
    });
    this.sold.push(orderId);
  }

  async #checkOut(id: string): Promise<void> {
    const { orderId, url } = await this.#post('/checkouts', {
      items: [{ productId: this.#mug, quantity: 1 }],
      customer: { email: `${id}@x.example` },
      successUrl: 'https://shop.example/thanks',
      cancelUrl: 'https://shop.example/cart',
    });
    await this.#stripe.act('stripe', decodeURIComponent(url.split('/').at(-1) ?? ''), 'pay');
    await this.#stripe.settled();
    this.checkedOut.push(orderId);
  }

  async #read(): Promise<void> {
    for (const path of ['/products?limit=20', '/orders?limit=20', '/customers?limit=5']) await this.#get(path);
  }

  #at(path: string): string {
    return `/stores/${this.#shop.storeId}${path}`;
  }

  #with(headers: Record<string, string>): Record<string, string> {
    return { authorization: `Bearer ${this.#shop.key}`, ...headers };
  }

  #get(path: string): Promise<Answer> {
    return this.#ask(() => [this.#at(path), 'GET', this.#with({}), undefined]);
  }

  async #post(path: string, body: object): Promise<Item> {
    const text = JSON.stringify(body);
    const headers = { 'content-type': 'application/json', 'idempotency-key': `key ${text}`.slice(0, 255) };
    return (await this.#ask(() => [this.#at(path), 'POST', this.#with(headers), text])).item;
  }

  /** Sends until a server answers. */
  async #ask(make: () => Request, isDone = (status: number) => status < 300): Promise<Answer> {
    for (const deadline = performance.now() + 60_000; performance.now() < deadline; await sleep(50)) {
      const url = this.urls[this.#turn++ % this.urls.length] ?? '';
      const [path, method, headers, body] = make();
      const answer = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) }).then(
        async (response) => ({
          status: response.status,
          etag: response.headers.get('etag') ?? '',
          text: await response.text(),
        }),
        () => undefined,
      );
      if (answer === undefined) continue;
      const { status, etag, text } = answer;
      if (isDone(status)) return { status, etag, item: (JSON.parse(text) as { item: Item }).item };
      // 503 asks the client to retry; 409 says that its first attempt is still running.
      if (status !== 503 && status !== 409) this.faults.push(`${method} ${path}: ${status} ${text}`);
    }
    throw new Error('no server answered for a minute');
  }
}
