import Stripe from 'stripe';
import { boundary, form, formType } from '../fixtures/media-forms.ts';
import { transmission } from '../fixtures/paypal.ts';
import { signSquare } from '../fixtures/square.ts';
import { orderInNotification, providers } from './fuzz-notifications.ts';
import type { Chosen, DrawnRequest } from './fuzz-requests.ts';
import type { FuzzedShop } from './fuzz-shop.ts';
import { type ValidParts, validParts } from './fuzz-valid.ts';
import { namedId } from './fuzz-values.ts';

/** A request ready to send. */
export interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

export interface Secrets {
  /** An API key with every scope. */
  key: string;
  stripe: string;
  square: { signatureKey: string; notificationUrl: string };
}

/** Builds requests from drawn ones: ids chosen from the known ids, encodings, signatures. */
export class Composer {
  readonly #shop: FuzzedShop;
  readonly #secrets: Secrets;
  readonly #png: Buffer;

  constructor(shop: FuzzedShop, secrets: Secrets, png: Buffer) {
    this.#shop = shop;
    this.#secrets = secrets;
    this.#png = png;
  }

  async compose(drawn: DrawnRequest): Promise<Sent> {
    const valid = drawn.valid ? await validParts(drawn, this.#shop) : undefined;
    const body = this.#bodyOf(drawn, valid);
    return {
      method: drawn.method ?? drawn.operation.method,
      url: this.#urlOf(drawn, valid ?? { params: this.#wildParams(drawn), query: drawn.query }),
      headers: this.#headersOf(drawn, body),
      body,
    };
  }

  #urlOf(
    { operation, encoding, store, prefix, suffix }: DrawnRequest,
    { params, query }: Pick<ValidParts, 'params' | 'query'>,
  ): string {
    const encode = encoders[encoding];
    const values = [...params];
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (name === 'storeId') return 'known' in store ? this.#shop.ctx.store.id : encode(store.text);
      return encode(values.shift() ?? '');
    });
    const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
    const before = operation.path.startsWith('/stores/') ? prefix : '';
    return `${before}${path}${suffix}${search === '' ? '' : `?${search}`}`.replace(/[^\x21-\x7e]/g, (char) =>
      encodeURIComponent(char.toWellFormed()),
    );
  }

  #wildParams({ operation: { path, params: names }, params }: DrawnRequest): string[] {
    // A delivery is identified by its subscription and its own id.
    const last = params.at(-1);
    const delivery = last && 'known' in last ? this.#shop.pick('any deliveries', last.known).split('/') : [];
    return names.map((name, i) => {
      const chosen = params[i] ?? { text: '' };
      if ('text' in chosen) return chosen.text;
      if (name === 'provider') return providers[chosen.known % providers.length] ?? '';
      if (names.includes('deliveryId')) return delivery[i] ?? '';
      const id = this.#idFor(chosen, poolOf(path));
      return name === 'file' ? `${id}.png` : id;
    });
  }

  #idFor(chosen: Chosen, kind: string): string {
    return 'text' in chosen ? chosen.text : this.#shop.pick(kind, chosen.known);
  }

  #headersOf({ operation, headers, body, key, signed }: DrawnRequest, bytes: Buffer): Record<string, string> {
    const all: Record<string, string> = {};
    if (key !== 'none') all.authorization = `Bearer ${key === 'good' ? this.#secrets.key : this.#secrets.key.slice(1)}`;
    if (body !== undefined) all['content-type'] = 'application/json';
    if (isUpload(operation.spec)) all['content-type'] = formType;
    for (const [name, value] of headers) all[name] = value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?').trim();
    if (operation.path.startsWith('/api/webhooks/') && signed) Object.assign(all, this.#signatures(bytes.toString()));
    return all;
  }

  /** Signatures of all providers: each provider reads its own. */
  #signatures(payload: string): Record<string, string> {
    const { stripe, square } = this.#secrets;
    return {
      ...(transmission as Record<string, string>),
      'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret: stripe }),
      'x-square-hmacsha256-signature': signSquare(payload, square.signatureKey, square.notificationUrl),
    };
  }

  #bodyOf(drawn: DrawnRequest, valid: ValidParts | undefined): Buffer {
    if (isUpload(drawn.operation.spec)) return this.#uploadOf(drawn);
    if (valid) return Buffer.from(valid.body ?? '');
    const { body, params } = drawn;
    const order = this.#idFor(params[0] ?? { known: body?.length ?? 0 }, 'orders');
    const named = (body ?? '').replace(namedId, (_, kind: string, n: string) => this.#shop.pick(kind, Number(n)));
    const plain = order.includes('"') || order.includes('\\') ? 'x' : order.toWellFormed();
    return Buffer.from(named.replaceAll(orderInNotification, plain));
  }

  #uploadOf({ file }: DrawnRequest): Buffer {
    const content = Buffer.from(this.#png.subarray(0, file.length));
    if (file.at < content.length && file.byte > 100) content[file.at] = file.byte;
    const name = file.name
      .toWellFormed()
      .replace(/["\r\n]/g, '')
      .slice(0, 200);
    const whole = form({ content, fileName: name, type: file.type === '' ? null : file.type });
    return file.byte % 16 === 0
      ? Buffer.from(whole.toString('latin1').replace(`--${boundary}--`, `--${boundary}`), 'latin1')
      : whole;
  }
}

function poolOf(path: string): string {
  if (path.startsWith('/media/')) return 'media';
  if (path.endsWith('/refund')) return 'paid orders';
  if (path.endsWith('/orders/{id}/payments')) return 'payable orders';
  return path.split('/')[3] ?? '';
}

// biome-ignore lint/suspicious/noExplicitAny: a document is walked by its names
function isUpload(spec: any): boolean {
  return spec.requestBody?.content?.['multipart/form-data'] !== undefined;
}

const encoders = {
  usual: (text: string) => encodeURIComponent(text.toWellFormed()),
  /** Every byte percent-encoded. */
  all: (text: string) => Buffer.from(text.toWellFormed()).toString('hex').replace(/../g, '%$&'),
  none: (text: string) => text.toWellFormed().replace(/[\s#?]/g, ''),
} as const;

/** A request in one line, without its key. */
export function shown({ method, url, headers, body }: Sent): string {
  const { authorization: _, ...rest } = headers;
  const text = body.toString('utf8');
  const cut = text.length > 400 ? `${text.slice(0, 300)}… (${body.length} bytes)` : text;
  return `${method} ${url.slice(0, 300)} ${JSON.stringify(rest).slice(0, 300)} ${cut}`;
}
