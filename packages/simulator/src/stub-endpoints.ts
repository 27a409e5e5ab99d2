import { randomToken } from './notifications.ts';
import { issue, jsonOf } from './paypal-body.ts';
import { refused as squareRefused } from './square-body.ts';
import { nestedForm, refused as stripeRefused } from './stripe-form.ts';
import {
  type Answered,
  type ProviderName,
  Refused,
  type StubAnswer,
  type StubRequest,
  type Target,
} from './stub-part.ts';

/** An account of a provider, with what verifies its notifications: the newest endpoint's, once there is one. */
interface Account {
  target: Target;
  webhookSecret?: string;
  webhookId?: string;
  signatureKey?: string;
  notificationUrl?: string;
}

interface Endpoint {
  id: string;
  url: string;
  events: string[];
  isOn: boolean;
  version: string | null;
  secret: string;
}

/** How a provider's API is reached, and what its endpoints look like there. */
interface Form {
  path: string;
  /** Lists that show only whether the key may read them. */
  lists: readonly string[];
  tokenRefused(): Refused;
  missing(id: string): Refused;
  shown(endpoint: Endpoint, isNew: boolean): object;
  answer: { created: number; one(shown: object): object; all(shown: object[]): object; gone: StubAnswer };
  /** The fields that a creation or a change gives. */
  read(request: StubRequest): Partial<Pick<Endpoint, 'url' | 'events' | 'isOn' | 'version'>>;
  /** Makes the account sign for this endpoint. */
  use(account: Account, endpoint: Endpoint): void;
}

const methods: Record<string, string> = {
  GET: 'endpoint',
  POST: 'updateEndpoint',
  PUT: 'updateEndpoint',
  PATCH: 'updateEndpoint',
};

/** Plays the endpoints of notifications of all providers; notifications are sent to the account's target, signed for the newest one. */
export function stubEndpoints(accountOf: Record<ProviderName, (token: string) => Account | undefined>) {
  const endpoints = new Map<Account, Endpoint[]>();

  return {
    operationOf(method: string, path: string): { provider: ProviderName; name: string } | null {
      for (const provider of Object.keys(forms) as ProviderName[]) {
        const { path: own, lists } = forms[provider];
        if (method === 'GET' && lists.includes(path)) return { provider, name: 'list' };
        if (path === own) {
          const name = { GET: 'endpoints', POST: 'createEndpoint' }[method];
          return name === undefined ? null : { provider, name };
        }
        if (!path.startsWith(`${own}/`) || path.slice(own.length + 1).includes('/')) continue;
        const name = method === 'DELETE' ? 'deleteEndpoint' : methods[method];
        return name === undefined ? null : { provider, name };
      }
      return null;
    },

    answer(provider: ProviderName, operation: string, request: StubRequest): Answered {
      const form = forms[provider];
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
      const account = accountOf[provider](token);
      if (!account) throw form.tokenRefused();
      if (operation === 'list') return { answer: { status: 200, body: { object: 'list', data: [] } } };
      const all = endpoints.get(account) ?? [];
      endpoints.set(account, all);
      const { answer } = form;
      if (operation === 'endpoints') {
        return { answer: { status: 200, body: answer.all(all.map((one) => form.shown(one, false))) } };
      }
      if (operation === 'createEndpoint') {
        const given = form.read(request);
        const endpoint = {
          ...empty,
          ...given,
          id: `we_${randomToken().slice(0, 17)}`,
          secret: `whsec_${randomToken()}`,
        };
        if (provider === 'paypal' && all.some(({ url }) => url === endpoint.url)) {
          throw issue(400, 'WEBHOOK_URL_ALREADY_EXISTS', '/url', 'Webhook URL already exists.');
        }
        all.push(endpoint);
        form.use(account, endpoint);
        return { answer: { status: answer.created, body: answer.one(form.shown(endpoint, true)) } };
      }
      const id = decodeURIComponent(request.path.split('/').at(-1) ?? '');
      const endpoint = all.find((one) => one.id === id);
      if (!endpoint) throw form.missing(id);
      if (operation === 'deleteEndpoint') {
        all.splice(all.indexOf(endpoint), 1);
        return { answer: answer.gone };
      }
      if (operation === 'updateEndpoint') Object.assign(endpoint, form.read(request));
      form.use(account, endpoint);
      return { answer: { status: 200, body: answer.one(form.shown(endpoint, false)) } };
    },

    /** True unless the account has endpoints, and none of them wants the event. Square tells a status behind the event's name. */
    hears(target: Target, event: string): boolean {
      const [type = ''] = event.split(' ');
      const own = [...endpoints].filter(([account, all]) => account.target === target && all.length > 0);
      return own.length === 0 || own.some(([, all]) => all.some(({ isOn, events }) => isOn && events.includes(type)));
    },

    /** The endpoints of an account by its target, as a test compares them. */
    of: (target: Target): { id: string; url: string; events: string[]; isOn: boolean; secret: string }[] =>
      [...endpoints].flatMap(([account, all]) => (account.target === target ? all : [])),

    /** Puts an endpoint there that somebody made by hand; what it sends is not signed with a known secret. */
    add(provider: ProviderName, token: string, url: string, events: string[]): void {
      const account = accountOf[provider](token);
      if (!account) throw new Error(`no account of ${provider} has this key`);
      const made = { ...empty, id: `we_${randomToken()}`, url, events, secret: `whsec_${randomToken()}` };
      endpoints.set(account, [...(endpoints.get(account) ?? []), made]);
    },
  };
}

const empty: Endpoint = { id: '', url: '', events: [], isOn: true, version: null, secret: '' };

const forms: Record<ProviderName, Form> = {
  stripe: {
    path: '/v1/webhook_endpoints',
    lists: ['/v1/checkout/sessions'],
    tokenRefused: () => stripeRefused(401, { message: 'Invalid API Key provided: sk_test_****' }),
    missing: (id) =>
      stripeRefused(404, { code: 'resource_missing', param: 'id', message: `No such webhook endpoint: '${id}'` }),
    shown: ({ id, url, events, isOn, version, secret }, isNew) => ({
      id,
      object: 'webhook_endpoint',
      api_version: version,
      enabled_events: events,
      status: isOn ? 'enabled' : 'disabled',
      url,
      ...(isNew ? { secret } : {}),
    }),
    answer: {
      created: 200,
      one: (shown) => shown,
      all: (data) => ({ object: 'list', has_more: false, data }),
      gone: { status: 200, body: { object: 'webhook_endpoint', deleted: true } },
    },
    read({ method, path, body }) {
      const form = nestedForm(body) as Record<string, unknown>;
      const { url, enabled_events, api_version, disabled } = form;
      const isNew = method === 'POST' && path.endsWith('/webhook_endpoints');
      if (!Array.isArray(enabled_events)) {
        throw stripeRefused(400, { param: 'enabled_events', message: 'Missing required param: enabled_events.' });
      }
      if (isNew && (typeof url !== 'string' || !url.startsWith('https://'))) {
        throw stripeRefused(400, { param: 'url', message: 'Invalid URL: webhook endpoints must be https.' });
      }
      return {
        events: enabled_events as string[],
        ...(isNew ? { url: String(url), version: typeof api_version === 'string' ? api_version : null } : {}),
        ...(disabled === undefined ? {} : { isOn: disabled === 'false' }),
      };
    },
    use: (account, { secret }) => void Object.assign(account, { webhookSecret: secret }),
  },
  paypal: {
    path: '/v1/notifications/webhooks',
    lists: [],
    tokenRefused: () =>
      new Refused({
        status: 401,
        body: { error: 'invalid_token', error_description: 'Token signature verification failed' },
      }),
    missing: () => issue(404, 'INVALID_RESOURCE_ID', '', 'Specified resource ID does not exist.'),
    shown: ({ id, url, events }) => ({ id, url, event_types: events.map((name) => ({ name, status: 'ENABLED' })) }),
    answer: { created: 201, one: (shown) => shown, all: (webhooks) => ({ webhooks }), gone: { status: 204, body: {} } },
    read({ method, body }) {
      const given = jsonOf(body) as Record<string, unknown> & { value?: unknown }[];
      const named = (method === 'PATCH' ? given[0]?.value : given.event_types) as { name: string }[] | undefined;
      if (!Array.isArray(named))
        throw issue(400, 'MISSING_REQUIRED_PARAMETER', '/event_types', 'A required field is missing');
      return { events: named.map(({ name }) => name), ...(method === 'PATCH' ? {} : { url: String(given.url) }) };
    },
    use: (account, { id }) => void Object.assign(account, { webhookId: id }),
  },
  square: {
    path: '/v2/webhooks/subscriptions',
    lists: ['/v2/payments'],
    tokenRefused: () =>
      squareRefused(401, 'UNAUTHORIZED', null, 'This request could not be authorized.', 'AUTHENTICATION_ERROR'),
    missing: (id) => squareRefused(404, 'NOT_FOUND', 'subscription_id', `Subscription ${id} not found`),
    shown: ({ id, url, events, isOn, version, secret }) => ({
      id,
      enabled: isOn,
      event_types: events,
      notification_url: url,
      api_version: version,
      signature_key: secret,
    }),
    answer: {
      created: 200,
      one: (subscription) => ({ subscription }),
      all: (subscriptions) => ({ subscriptions }),
      gone: { status: 200, body: {} },
    },
    read({ body }) {
      const { subscription } = (jsonOf(body) ?? {}) as { subscription?: Record<string, unknown> };
      if (!Array.isArray(subscription?.event_types)) {
        throw squareRefused(
          400,
          'MISSING_REQUIRED_PARAMETER',
          'subscription.event_types',
          'Missing required parameter.',
        );
      }
      const { event_types, notification_url, api_version, enabled } = subscription;
      return {
        events: event_types as string[],
        ...(typeof notification_url === 'string' ? { url: notification_url } : {}),
        ...(typeof api_version === 'string' ? { version: api_version } : {}),
        ...(typeof enabled === 'boolean' ? { isOn: enabled } : {}),
      };
    },
    use: (account, { secret, url }) => void Object.assign(account, { signatureKey: secret, notificationUrl: url }),
  },
};
