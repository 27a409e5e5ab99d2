// An application with its own admin page, and the interface of the store below /shop. It has no key: its users are known by its own sign-in.
import {
  type Commerce,
  CommerceError,
  type Context,
  listOrders,
  listProducts,
  type Product,
  updateProduct,
} from '@commerce/core';
import { createListener } from '@commerce/server';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { SignIn, User } from './sign-in.ts';

export function createApp(commerce: Commerce, storeId: string, signIn: SignIn): Express {
  const app = express();

  // Ahead of body parsers: notifications of payment providers are checked by their bytes.
  app.use(
    '/shop',
    createListener(commerce, {
      basePath: '/shop',
      identify(request) {
        const user = signIn.userOf(request);
        return user && { storeId, actor: { id: user.email } };
      },
    }),
  );

  app.use(express.urlencoded({ extended: false, limit: '10kb' }));

  app.get('/', (_, response) => {
    response.send(page('Sign in', signInForm()));
  });

  app.post('/sign-in', (request, response) => {
    const { email, password } = request.body ?? {};
    const cookie = signIn.begin(email, password);
    if (cookie === undefined) {
      response.status(401).send(page('Sign in', html`<p>E-mail or password is wrong.</p>${signInForm()}`));
      return;
    }
    response.setHeader('Set-Cookie', cookie);
    response.redirect(303, '/admin');
  });

  /** The store, for the user of the request: its changes are this user's in the audit log. */
  const shopFor = (user: User): Promise<Context> => commerce.store(storeId, { type: 'embedder', id: user.email });

  const signedIn =
    (handle: (shop: Context, request: Request, response: Response) => Promise<void>) =>
    async (request: Request, response: Response): Promise<void> => {
      const user = signIn.userOf(request);
      if (user) await handle(await shopFor(user), request, response);
      else response.redirect(303, '/');
    };

  app.get(
    '/admin',
    signedIn(async (shop, _, response) => {
      const orders = await listOrders(shop, { limit: 20 });
      const products = await listProducts(shop, { limit: 50, sort: 'title' });
      const rows = orders.items.map(
        (order) =>
          html`<tr><td>${order.orderNumber}</td><td>${order.status}</td><td>${order.total} ${order.currency}</td></tr>`,
      );
      response.send(
        page(
          'Admin',
          html`<h2>Newest of ${String(orders.total)} orders</h2><table>${rows}</table>
            <h2>Prices</h2>${products.items.map(priceForm)}`,
        ),
      );
    }),
  );

  app.post(
    '/admin/products/:id/price',
    signedIn(async (shop, request, response) => {
      const { id } = request.params;
      const { price } = request.body ?? {};
      // The operation checks it, and says what would be right.
      await updateProduct(shop, String(id), { price });
      response.redirect(303, '/admin');
    }),
  );

  app.use((error: unknown, _: Request, response: Response, next: NextFunction) => {
    if (!(error instanceof CommerceError) || error.kind === 'internal') {
      next(error);
      return;
    }
    const [first] = error.details;
    const text = first ? `${first.field} ${first.reason}` : error.message;
    response.status(error.kind === 'notFound' ? 404 : 400).send(page('Not saved', html`<p>${text}</p>`));
  });
  return app;
}

function priceForm({ id, title, price }: Product): Html {
  return html`<form method="post" action="/admin/products/${encodeURIComponent(id)}/price">
    <label>${title} <input name="price" value="${price}"></label> <button>Save</button>
  </form>`;
}

function signInForm(): Html {
  return html`<form method="post" action="/sign-in">
    <label>E-mail <input name="email" type="email" required></label>
    <label>Password <input name="password" type="password" required></label>
    <button>Sign in</button>
  </form>`;
}

function page(title: string, body: Html): string {
  return html`<!doctype html><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${body}`.text;
}

/** Text that is HTML already. */
class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML in which every value is text, unless it is HTML itself. */
function html(parts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  const shown = (value: string | Html | Html[]): string => {
    if (Array.isArray(value)) return value.map(shown).join('');
    return value instanceof Html ? value.text : value.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);
  };
  return new Html(parts.map((part, i) => part + shown(values[i] ?? '')).join(''));
}
