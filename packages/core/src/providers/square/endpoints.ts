import type { OutboundAnswer } from '../../network/outbound.ts';
import type { Access, Endpoint, EndpointCalls } from '../endpoints.ts';
import { jsonOf } from '../provider-api.ts';
import { listAt, objectAt, textAt, textsAt } from '../reading.ts';
import { refusedSettings, unreadable } from '../refusal.ts';
import { callSquare, reasonOf, squareVersion } from './api.ts';

const path = '/v2/webhooks/subscriptions';
const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`;

/**
 * Subscriptions of Square (developer.squareup.com/docs/webhooks/webhook-subscriptions-api). They belong to the application, so that only
 * its own access token opens them, and none of OAuth. The signature key can be read at any time.
 */
export const squareEndpoints: EndpointCalls = {
  access: ['accessToken'],

  async list(access) {
    const found: Endpoint[] = [];
    for (let cursor: string | null = ''; cursor !== null && found.length < maxListed; ) {
      const query = `?include_disabled=true&limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const page = jsonOf(await ask(access, 'GET', path + query));
      found.push(...listAt(page, 'subscriptions').flatMap((one) => endpointOf(one) ?? []));
      cursor = textAt(page, 'cursor');
    }
    return found;
  },

  holds: () => true,

  async adopt({ id, url }, access) {
    const answer = await ask(access, 'GET', pathOf(id));
    const signatureKey = textAt(jsonOf(answer), 'subscription', 'signature_key');
    if (signatureKey === null) throw unreadable('Square', answer, 'a signature key');
    return { signatureKey, notificationUrl: url };
  },

  async create({ url, events, key }, access) {
    const subscription = { name: 'Commerce', event_types: events, notification_url: url, api_version: squareVersion };
    const answer = await ask(access, 'POST', path, { idempotency_key: key, subscription });
    const made = objectAt(jsonOf(answer), 'subscription');
    const id = textAt(made, 'id');
    const signatureKey = textAt(made, 'signature_key');
    if (id === null || signatureKey === null) throw unreadable('Square', answer, 'a subscription with its key');
    return { id, settings: { signatureKey, notificationUrl: url } };
  },

  async update(id, events, access) {
    await ask(access, 'PUT', pathOf(id), {
      subscription: { enabled: true, event_types: events, api_version: squareVersion },
    });
  },

  async remove(id, access) {
    const answer = await callSquare(access, 'DELETE', pathOf(id));
    if (answer.status !== 200 && answer.status !== 404) throw refused(answer, access);
  },

  async rights(access) {
    const paths = {
      'Webhook Subscriptions': path,
      PAYMENTS_READ: '/v2/payments',
    };
    const found: Record<string, string | null> = {};
    for (const [right, list] of Object.entries(paths)) {
      const answer = await callSquare(access, 'GET', `${list}?limit=1`);
      found[right] = answer.status === 200 ? null : refused(answer, access).message;
    }
    return found;
  },
};

/** More subscriptions than an application can have. */
const maxListed = 1000;

async function ask(
  access: Access,
  method: 'GET' | 'POST' | 'PUT',
  where: string,
  body?: object,
): Promise<OutboundAnswer> {
  const answer = await callSquare(access, method, where, body);
  if (answer.status !== 200) throw refused(answer, access);
  return answer;
}

function refused(answer: OutboundAnswer, { accessToken }: Access) {
  return refusedSettings(reasonOf(answer), [accessToken]);
}

function endpointOf(one: unknown): Endpoint | null {
  const id = textAt(one, 'id');
  const url = textAt(one, 'notification_url');
  if (id === null || url === null) return null;
  return {
    id,
    url,
    events: textsAt(one, 'event_types'),
    isOn: (one as { enabled?: unknown }).enabled !== false,
    isCurrent: textAt(one, 'api_version') === squareVersion,
  };
}
