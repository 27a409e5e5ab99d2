import type { OutboundAnswer } from '../../network/outbound.ts';
import type { Access, Endpoint, EndpointCalls } from '../endpoints.ts';
import { jsonOf } from '../provider-api.ts';
import { listAt, textAt, textsAt } from '../reading.ts';
import { refusedSettings, unreadable } from '../refusal.ts';
import { callStripe, reasonOf, stripeVersion } from './api.ts';
import { formOf } from './checkout.ts';

const path = '/v1/webhook_endpoints';

/** Endpoints of Stripe (docs.stripe.com/api/webhook_endpoints). Only the answer to the creation has the signing secret. */
export const stripeEndpoints: EndpointCalls = {
  access: ['secretKey'],

  async list(access) {
    // An account has at most 16.
    const answer = await ask(access, 'GET', `${path}?limit=100`);
    return listAt(jsonOf(answer), 'data').flatMap((one) => endpointOf(one) ?? []);
  },

  holds: ({ id, isCurrent }, { endpointId, webhookSecret }) =>
    isCurrent && endpointId === id && webhookSecret !== undefined,

  adopt: async () => ({}),

  async create({ url, events, key }, access) {
    const body = formOf({ url, enabled_events: events, api_version: stripeVersion, description: 'Commerce' });
    const answer = await ask(access, 'POST', path, { body, idempotencyKey: key });
    const endpointId = textAt(jsonOf(answer), 'id');
    const webhookSecret = textAt(jsonOf(answer), 'secret');
    if (endpointId === null || webhookSecret === null)
      throw unreadable('Stripe', answer, 'an endpoint with its secret');
    return { id: endpointId, settings: { endpointId, webhookSecret } };
  },

  async update(id, events, access) {
    const body = formOf({ enabled_events: events, disabled: false });
    await ask(access, 'POST', `${path}/${encodeURIComponent(id)}`, { body });
  },

  async remove(id, access) {
    const answer = await call(access, 'DELETE', `${path}/${encodeURIComponent(id)}`);
    if (answer.status !== 200 && answer.status !== 404) throw refused(answer, access);
  },

  async rights(access) {
    // A restricted key that can write can also read (docs.stripe.com/keys/restricted-api-keys).
    const paths = {
      'Webhook Endpoints': path,
      'Checkout Sessions': '/v1/checkout/sessions',
      'Charges and Refunds': '/v1/refunds',
    };
    const found: Record<string, string | null> = {};
    for (const [right, list] of Object.entries(paths)) {
      const answer = await call(access, 'GET', `${list}?limit=1`);
      found[right] = answer.status === 200 ? null : refused(answer, access).message;
    }
    return found;
  },
};

type Call = Parameters<typeof callStripe>;

function call(access: Access, method: Call[1], where: string, options?: Call[3]): Promise<OutboundAnswer> {
  return callStripe(access, method, where, options);
}

async function ask(access: Access, method: Call[1], where: string, options?: Call[3]): Promise<OutboundAnswer> {
  const answer = await call(access, method, where, options);
  if (answer.status !== 200) throw refused(answer, access);
  return answer;
}

function refused(answer: OutboundAnswer, { secretKey }: Access) {
  return refusedSettings(reasonOf(answer), [secretKey]);
}

function endpointOf(one: unknown): Endpoint | null {
  const id = textAt(one, 'id');
  const url = textAt(one, 'url');
  if (id === null || url === null) return null;
  return {
    id,
    url,
    events: textsAt(one, 'enabled_events'),
    isOn: textAt(one, 'status') === 'enabled',
    isCurrent: textAt(one, 'api_version') === stripeVersion,
  };
}
