import {
  type Context,
  createApiKey,
  createCategory,
  createCheckout,
  createCustomer,
  createDiscount,
  createMedia,
  createOrder,
  createPage,
  createUser,
  createWebhook,
  createWithdrawal,
  deleteWebhook,
  issueInvoice,
  listApiKeys,
  listAuditLogs,
  listInvoices,
  listPayments,
  listUsers,
  listWebhooks,
  type Order,
  removeUser,
  revokeApiKey,
  testWebhook,
  updateSettings,
  updateStore,
} from '@commerce/core';
import { appSubscribers } from '../../../packages/core/src/deliveries/app-subscribers.ts';
import { transact } from '../../../packages/core/src/engine/transaction.ts';
import { queueAsked } from '../../../packages/core/src/mail/queue.ts';
import { receiveNotification } from '../../../packages/core/src/sales/notifications/receive.ts';
import { freeCheckout, freeSku, shopOrigin } from '../fixtures/route-fixtures.ts';
import { newProduct } from '../fixtures/shop.ts';
import { signSquare, squarePayment, withSignature } from '../fixtures/square.ts';
import { payment, send } from '../fixtures/stripe.ts';

/** Secrets by which the providers sign. */
export interface FuzzSecrets {
  stripe: string;
  square: { signatureKey: string; notificationUrl: string };
}

/** An id that does not exist, for a kind without known ids. */
const noId = '0190a5c8-0000-7000-8000-000000000000';
const maxPool = 30;
/** Minimum of known ids of a kind; below it, more are created. */
const minPool = 5;
/** Numbers of subscriptions and keys to keep; the store refuses more than 100 and 1000 of them. */
const maxWebhooks = 12;
const maxUsers = 150;
const maxKeys = 300;

/**
 * The shop that is fuzzed: its known ids, and whatever a valid request needs. Wild requests cannot reach some of it, so that it stays
 * unchanged.
 */
export class FuzzedShop {
  readonly ctx: Context;
  readonly #secrets: FuzzSecrets;
  readonly #png: Buffer;
  readonly #pools = new Map<string, string[]>();
  readonly #reserved = new Set<string>();
  #unique = 0;
  /** A product with stock that outlasts every run. */
  #goods = { id: '', price: 32 };
  /** A product that costs nothing. */
  #gift = '';
  /** Categories that stay roots, active subscriptions, and orders with a large payment. */
  readonly roots: string[] = [];
  readonly activeWebhooks: string[] = [];
  readonly paidOrders: string[] = [];
  /** A subscriber of the application, to an event that is rare. */
  readonly subscriber = 'application';

  private constructor(ctx: Context, secrets: FuzzSecrets, png: Buffer) {
    this.ctx = ctx;
    this.#secrets = secrets;
    this.#png = png;
  }

  static async open(ctx: Context, secrets: FuzzSecrets, png: Buffer): Promise<FuzzedShop> {
    const shop = new FuzzedShop(ctx, secrets, png);
    await updateStore(ctx, { manualPayments: true });
    const goods = await newProduct(ctx, {
      slug: 'seed-of-the-fuzz',
      price: '32',
      trackStock: true,
      stock: 2_000_000_000,
    });
    shop.#goods.id = shop.reserve(goods.id);
    shop.#gift = shop.reserve((await newProduct(ctx, { slug: 'gift', sku: freeSku, price: '0' })).id);
    for (let i = 0; i < 10; i++) {
      shop.roots.push(shop.reserve((await createCategory(ctx, { name: 'Shelf', slug: `shelf-${i}` })).id));
      const order = await shop.paidOrder(10_000);
      shop.paidOrders.push(shop.reserve(order.id));
      shop.put('paid orders', (await shop.paidOrder(10_000)).id);
      shop.put('payable orders', (await shop.pendingOrder()).id);
    }
    for (let i = 0; i < 5; i++) {
      const url = shop.#subscriberUrl();
      const { id } = await createWebhook(ctx, { url, events: ['media.*', 'category.*'] });
      shop.activeWebhooks.push(shop.reserve(id));
    }
    await appSubscribers(ctx.engine).add(ctx.engine, ['page.deleted'], shop.subscriber, () => {});
    await shop.fill();
    return shop;
  }

  get goods(): { id: string; price: number } {
    return this.#goods;
  }

  get gift(): string {
    return this.#gift;
  }

  /** Makes pages of the fixtures sellable, whatever a request has changed in the settings. */
  async openForCheckouts(): Promise<void> {
    await updateSettings(this.ctx, { returnUrls: [shopOrigin], shippingMethods: [] });
  }

  /** Lets agents read the products, whatever a request has changed in the settings. */
  async openForAgents(): Promise<void> {
    await updateSettings(this.ctx, { ucp: { enabled: true } });
  }

  /** A number that is unique among all calls. */
  unique(): number {
    return ++this.#unique;
  }

  /** Keeps an id out of the pools. */
  reserve(id: string): string {
    this.#reserved.add(id);
    return id;
  }

  put(kind: string, id: string): void {
    if (this.#reserved.has(id)) return;
    const pool = this.#pools.get(kind) ?? [];
    this.#pools.set(kind, pool);
    if (!pool.includes(id)) pool.push(id);
    if (pool.length > maxPool) pool.splice(0, pool.length - maxPool);
  }

  /** Forgets a deleted id. */
  drop(id: string): void {
    for (const pool of this.#pools.values()) if (pool.includes(id)) pool.splice(pool.indexOf(id), 1);
  }

  pick(kind: string, n: number): string {
    const pool = this.#pools.get(kind) ?? [];
    return pool[n % pool.length] ?? noId;
  }

  /** Creates more of every kind that has few known ids. */
  async fill(): Promise<void> {
    for (const kind of Object.keys(this.#creators)) {
      while ((this.#pools.get(kind)?.length ?? 0) < minPool) this.put(kind, await this.create(kind));
    }
    if ((this.#pools.get('audit-logs')?.length ?? 0) < minPool) {
      for (const { id } of (await listAuditLogs(this.ctx, { limit: minPool })).items) this.put('audit-logs', id);
    }
  }

  /** Creates one of a kind, and returns its id. */
  async create(kind: string): Promise<string> {
    const create = this.#creators[kind];
    if (!create) throw new Error(`there is no way to create one of ${kind}`);
    return (await create()).id;
  }

  readonly #creators: Record<string, () => Promise<{ id: string }>> = {
    products: () => newProduct(this.ctx),
    categories: () => createCategory(this.ctx, { name: 'Mugs', slug: `mugs-${this.unique()}` }),
    customers: () => createCustomer(this.ctx, { email: `seed${this.unique()}@shop.test` }),
    pages: () => createPage(this.ctx, { title: 'Imprint', slug: `imprint-${this.unique()}` }),
    media: async () => {
      const png = this.#png;
      const content = (async function* () {
        yield png;
      })();
      const [item] = await createMedia(this.ctx, [{ fileName: 'a.png', mimeType: 'image/png', content }]);
      if (!item) throw new Error('an upload was answered with nothing');
      return item;
    },
    users: async () => {
      await this.makeRoom();
      return createUser(this.ctx, { email: `user${this.unique()}@shop.test`, role: 'reader' });
    },
    'api-keys': async () => {
      await this.makeRoom();
      return createApiKey(this.ctx, { name: 'seed', scopes: ['product.read'] });
    },
    webhooks: async () => {
      await this.makeRoom();
      return createWebhook(this.ctx, { url: this.#subscriberUrl(), events: ['page.*'] });
    },
    orders: () => this.pendingOrder(),
    discounts: () => createDiscount(this.ctx, { code: `D${this.unique()}`, type: 'percent', value: '10' }),
    checkouts: async () => {
      await this.openForCheckouts();
      return createCheckout(this.ctx, freeCheckout());
    },
    payments: () => this.lostPayment(),
    mails: () => transact(this.ctx, (tx) => queueAsked(tx, { kind: 'order.confirmed', to: 'ada@shop.test' })),
    invoices: async () => this.invoice((await this.paidOrder()).id),
    withdrawals: () => createWithdrawal(this.ctx, { name: 'Ada', email: 'ada@shop.test', orderNumber: '1' }),
    deliveries: async () => {
      const webhookId = this.activeWebhooks[this.unique() % this.activeWebhooks.length] ?? '';
      const { id } = await testWebhook(this.ctx, webhookId);
      return { id: `${webhookId}/${id}` };
    },
  };

  /** Deletes subscriptions and keys near the limit, so that new ones can be created. */
  async makeRoom(): Promise<void> {
    const webhooks = await listWebhooks(this.ctx, { limit: 200 });
    if (webhooks.total > maxWebhooks) {
      for (const { id } of webhooks.items.filter(({ id }) => !this.#reserved.has(id)).slice(-5)) {
        await deleteWebhook(this.ctx, id);
        this.drop(id);
      }
    }
    const users = await listUsers(this.ctx, { limit: 200 });
    if (users.total > maxUsers) {
      for (const { id } of users.items.slice(0, 50)) {
        await removeUser(this.ctx, id);
        this.drop(id);
      }
    }
    const keys = await listApiKeys(this.ctx, { limit: 1 });
    if (keys.total > maxKeys) {
      const oldest = await listApiKeys(this.ctx, { limit: 100, offset: keys.total - 100 });
      for (const { id } of oldest.items.filter(({ id }) => !this.#reserved.has(id))) {
        await revokeApiKey(this.ctx, id);
        this.drop(id);
      }
    }
  }

  #subscriberUrl(): string {
    return `https://subscriber.example.com/seed-${this.unique()}`;
  }

  /** An order over that many times 32.00. */
  pendingOrder(quantity = 1): Promise<Order> {
    return createOrder(this.ctx, { items: [{ productId: this.#goods.id, quantity }], taxRate: '0' });
  }

  /** The invoice of an order; requests can have switched on that it is written with the payment. */
  async invoice(orderId: string): Promise<{ id: string }> {
    const [known] = (await listInvoices(this.ctx, { orderId })).items;
    if (known) return known;
    await updateSettings(this.ctx, { seller: { name: 'Tea', address: 'Teichweg 1', email: 'tea@shop.test' } });
    return issueInvoice(this.ctx, orderId);
  }

  async paidOrder(quantity = 1): Promise<Order> {
    const order = await this.pendingOrder(quantity);
    await send(this.ctx, payment(order.id, 3200 * quantity).chargeSucceeded(), this.#secrets.stripe);
    return order;
  }

  /** A payment over 32.00 that named no order. */
  async lostPayment(): Promise<{ id: string }> {
    await send(this.ctx, payment(null, 3200).chargeSucceeded(), this.#secrets.stripe);
    return this.#lost('stripe');
  }

  /** A payment whose order does not exist, at a provider that can be asked for refunds and does not answer. */
  async lostTap(): Promise<{ id: string }> {
    const { signatureKey, notificationUrl } = this.#secrets.square;
    const body = JSON.stringify(squarePayment(noId, 3200).completed());
    const signature = signSquare(body, signatureKey, notificationUrl);
    const told = withSignature(body, signature);
    await receiveNotification(this.ctx.engine, 'square', told, { storeId: this.ctx.store.id });
    return this.#lost('square');
  }

  async #lost(provider: 'stripe' | 'square'): Promise<{ id: string }> {
    const [found] = (await listPayments(this.ctx, { matched: 'none', provider, limit: 1 })).items;
    if (!found) throw new Error('a payment that names no order is not listed');
    return found;
  }
}
