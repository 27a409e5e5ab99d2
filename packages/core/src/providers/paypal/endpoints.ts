import type { OutboundAnswer } from '../../network/outbound.ts';
import type { Access, Endpoint, EndpointCalls } from '../endpoints.ts';
import { checkoutLimits, jsonOf } from '../provider-api.ts';
import { listAt, textAt } from '../reading.ts';
import { type Refusal, refusedSettings, unreadable } from '../refusal.ts';
import { callPayPal, type PayPalCall } from './api.ts';

const path = '/v1/notifications/webhooks';

/**
 * Webhooks of PayPal (developer.paypal.com/api/webhooks/v1). An app has at most one for an address, and no secret: its id is what
 * verifies.
 */
export const paypalEndpoints: EndpointCalls = {
  access: ['clientId', 'clientSecret'],

  async list(access, now) {
    const answer = await ask(access, now, { method: 'GET', path }, 200);
    return listAt(jsonOf(answer), 'webhooks').flatMap((one) => endpointOf(one) ?? []);
  },

  holds: () => true,

  adopt: async ({ id }) => ({ webhookId: id }),

  async create({ url, events, key }, access, now) {
    const body = JSON.stringify({ url, event_types: typesOf(events) });
    const answer = await ask(access, now, { method: 'POST', path, body, headers: { 'PayPal-Request-Id': key } }, 201);
    const id = textAt(jsonOf(answer), 'id');
    if (id === null) throw unreadable('PayPal', answer, 'a webhook');
    return { id, settings: { webhookId: id } };
  },

  async update(id, events, access, now) {
    const body = JSON.stringify([{ op: 'replace', path: '/event_types', value: typesOf(events) }]);
    await ask(access, now, { method: 'PATCH', path: `${path}/${encodeURIComponent(id)}`, body }, 200);
  },

  async remove(id, access, now) {
    const answer = await call(access, now, { method: 'DELETE', path: `${path}/${encodeURIComponent(id)}` });
    if (answer.status !== 204 && answer.status !== 404) throw refused(answer, access);
  },

  async rights(access, now) {
    const answer = await call(access, now, { method: 'GET', path });
    return { Webhooks: answer.status === 200 ? null : refused(answer, access).message };
  },
};

const typesOf = (events: readonly string[]) => events.map((name) => ({ name }));

function call(access: Access, now: number, request: PayPalCall): Promise<OutboundAnswer> {
  // Who calls has checked that the settings of `access` are there.
  const { clientId = '', clientSecret = '', apiBase } = access;
  return callPayPal({ clientId, clientSecret, apiBase }, now, request, checkoutLimits);
}

async function ask(access: Access, now: number, request: PayPalCall, expected: number): Promise<OutboundAnswer> {
  const answer = await call(access, now, request);
  if (answer.status !== expected) throw refused(answer, access);
  return answer;
}

function refused(answer: OutboundAnswer, { clientSecret }: Access) {
  const body = jsonOf(answer);
  const [detail] = listAt(body, 'details');
  const refusal: Refusal = {
    provider: 'PayPal',
    status: answer.status,
    code: textAt(detail, 'issue') ?? textAt(body, 'name'),
    field: textAt(detail, 'field'),
    message: textAt(detail, 'description') ?? textAt(body, 'message'),
  };
  return refusedSettings(refusal, [clientSecret]);
}

function endpointOf(one: unknown): Endpoint | null {
  const id = textAt(one, 'id');
  const url = textAt(one, 'url');
  if (id === null || url === null) return null;
  const events = listAt(one, 'event_types').flatMap((type) => textAt(type, 'name') ?? []);
  return { id, url, events, isOn: true, isCurrent: true };
}
