import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  anonymiseCustomer,
  type Commerce,
  type Context,
  configureProvider,
  createOrder,
  createProduct,
  getOrder,
  openCommerce,
} from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';
import { signStripe, stripePaymentSucceeded } from '@commerce/core/testing';
import { root } from '@commerce/test-support/harness/processes';
import { startSmtpSink } from '@commerce/test-support/harness/smtp-sink';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'commerce-order-mail-'));
const file = join(folder, 'shop.db');
let commerce: Commerce;
let shop: Context;
let sink: Awaited<ReturnType<typeof startSmtpSink>>;

beforeAll(async () => {
  sink = await startSmtpSink();
  commerce = await openCommerce({ storage: openSqlite({ file }) });
  const { id } = await commerce.createStore({ name: 'Mugs & more', currency: 'EUR' });
  shop = await commerce.store(id);
  await configureProvider(shop, 'stripe', { webhookSecret: 'whsec_mail' });
  const title = '<img src=x onerror=alert(1)>';
  await createProduct(shop, { title, slug: 'mug', sku: 'MUG', price: '12.50', status: 'published' });
});
afterAll(async () => {
  await commerce?.close();
  await sink?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the example and waits until it listens to events. */
async function startMailer() {
  const env = { ...process.env, SMTP_URL: sink.url, SENDER: 'shop@shop.example' };
  const child = spawn(process.execPath, [join(root, 'examples/order-mail/main.js'), file], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  await until('it listens', () => output.includes('mails go through') || child.exitCode !== null);
  if (child.exitCode !== null) throw new Error(output);
  return async () => {
    child.kill('SIGTERM');
    return (await once(child, 'exit'))[0];
  };
}

async function buy(customer: { email: string; name: string }, notFor = false) {
  const order = await createOrder(shop, {
    customer,
    items: [{ sku: 'MUG', quantity: 2 }],
    shipping: '4.90',
    shippingAddress: { lastName: 'Lovelace', address1: '12 St James Square', city: 'London', country: 'GB' },
  });
  if (notFor && order.customerId) await anonymiseCustomer(shop, order.customerId);
  const event = stripePaymentSucceeded({ orderId: order.id, amount: 2990, currency: 'eur' });
  const signed = signStripe(event, 'whsec_mail', Date.now());
  expect(await commerce.receiveNotification('stripe', signed, { storeId: shop.store.id })).toMatchObject({
    outcome: 'paid',
  });
  expect((await getOrder(shop, order.id)).status).toBe('paid');
  return order;
}

/** The parts of a mail as a mail program shows them. */
function readMail(source: string) {
  const decoded = source
    .replace(/=\r\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString());
  const [head = ''] = source.split('\r\n\r\n');
  return { head, decoded };
}

describe('mails for orders', () => {
  it('tell a buyer once of a paid order, in text and HTML in which nothing that was typed is markup', async () => {
    const stop = await startMailer();
    const order = await buy({ email: 'ada@shop.test', name: 'Ada\r\nBcc: all@shop.test' });
    await until('it was mailed', () => sink.mails.length > 0);
    expect(await stop()).toBe(0);
    expect(sink.mails).toHaveLength(1);
    const [mail] = sink.mails;
    expect(mail).toMatchObject({ from: 'shop@shop.example', to: ['ada@shop.test'] });
    const { head, decoded } = readMail(mail?.source ?? '');
    expect(head).toContain(`Subject: Your order ${order.orderNumber}`);
    expect(head).not.toMatch(/^Bcc:/im);
    expect(head).toMatch(/^Content-Type: multipart\/alternative/m);
    expect(decoded).toContain('2 × <img src=x onerror=alert(1)>: 12.50 EUR each');
    expect(decoded).toContain('2 × &lt;img src=x onerror=alert(1)&gt;');
    expect(decoded.split('<!doctype html>')[1]).not.toContain('<img');
    expect(decoded).toContain('Total: 29.90 EUR');
    expect(decoded).toContain('12 St James Square');
  });

  it('are sent for orders that were paid while the program was not running, and again when the mail server is busy', async () => {
    const before = sink.mails.length;
    sink.refuse('451 try later');
    const order = await buy({ email: 'grace@shop.test', name: 'Grace' });
    const stop = await startMailer();
    await until('it was mailed', () => sink.mails.length > before);
    expect(await stop()).toBe(0);
    const { head } = readMail(sink.mails.at(-1)?.source ?? '');
    expect(head).toContain(order.orderNumber);
    expect(sink.mails).toHaveLength(before + 1);
  });

  it('are not sent to those who were erased', async () => {
    const before = sink.mails.length;
    await buy({ email: 'gone@shop.test', name: 'Gone' }, true);
    const order = await buy({ email: 'here@shop.test', name: 'Here' });
    const stop = await startMailer();
    await until('the next one was mailed', () => sink.mails.length > before);
    expect(await stop()).toBe(0);
    expect(sink.mails).toHaveLength(before + 1);
    expect(sink.mails.at(-1)?.source).toContain(order.orderNumber);
  });
});
