import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createCheckout, createProduct, openCommerce, updateSettings } from '@commerce/core';
import { initStore } from '@commerce/test-support/fixtures/payments-cli';
import { type MailServer, startMailServer } from '@commerce/test-support/harness/mail-server';
import { bin, commerce } from '@commerce/test-support/harness/processes';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, beforeAll, expect, it } from 'vitest';

const smtpAllow = ['127.0.0.0/8'];

forOneStorage('commerce mail', 'sqlite', (database) => {
  const db = ['--db', database.address];
  const allow = ['--smtp-allow', smtpAllow.join()];
  let server: MailServer;
  let storeId: string;
  const mail = (args: string[], env: Record<string, string> = {}) => commerce(['mail', ...args, ...db], '', env);
  const json = async (args: string[]) => JSON.parse((await mail([...args, '--json'])).stdout);

  beforeAll(async () => {
    server = await startMailServer();
    ({ storeId } = await initStore(database.address));
  });
  afterAll(() => server?.close());

  /** An order to be paid on delivery, and its mails sent. */
  async function place(email: string): Promise<void> {
    const instance = await openCommerce({ storage: database.open(), smtpAllow });
    const shop = await instance.store(storeId);
    const paymentMethods = [{ id: 'cod', name: 'Cash', kind: 'cash_on_delivery' as const }];
    await updateSettings(shop, { returnUrls: ['https://shop.example'], paymentMethods });
    const ready = await instance.store(storeId);
    const slug = email.replace(/\W/g, '-');
    const mug = await createProduct(ready, { title: 'Mug', slug, price: '10', status: 'published' });
    await createCheckout(ready, {
      items: [{ productId: mug.id, quantity: 1 }],
      customer: { email },
      ...{ successUrl: 'https://shop.example/a', cancelUrl: 'https://shop.example/b' },
    });
    await instance.sendDueMails();
    await instance.close();
  }

  it('is set up step by step; the password comes from the environment and is not shown', async () => {
    expect((await mail(['configure'])).stdout).toMatch(/from +none: nothing is sent/);
    expect(await mail(['configure', '--user', 'shop'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--host'),
    });
    const set = await mail(['configure', '--from', 'shop@shop.test', '--host', 'smtp.example.com', '--user', 'shop'], {
      COMMERCE_SMTP_PASSWORD: 'a long password 1234',
    });
    expect(set).toMatchObject({ code: 0, stderr: '' });
    expect(set.stdout).toMatch(/server +smtp\.example\.com:587, starttls, as shop/);
    expect(set.stdout).not.toContain('password 1234');
    // Another port can be another server, which must not get the password.
    expect(await mail(['configure', '--security', 'tls'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('password'),
    });
    const kinds = ['--off', 'owner.low_stock', '--on', 'order.delivered'];
    const { item } = await json(['configure', '--security', 'tls', '--port', '587', ...kinds]);
    expect(item).toMatchObject({
      smtp: { host: 'smtp.example.com', port: 587, security: 'tls', user: 'shop' },
      kinds: { 'owner.low_stock': false, 'order.delivered': true, 'order.confirmed': true },
    });
    expect(await mail(['configure', '--on', 'newsletter'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('newsletter is no kind of mail'),
    });
  });

  it('says which ranges to allow for a server on this machine, and tests the server', async () => {
    const local = ['configure', '--host', '127.0.0.1', '--port', String(server.port), '--security', 'none'];
    expect(await mail(local)).toMatchObject({ code: 1, stderr: expect.stringContaining('--smtp-allow') });
    expect(await mail([...local, ...allow])).toMatchObject({ code: 0 });
    const tested = await mail(['test', 'owner@shop.test', ...allow]);
    expect(tested).toMatchObject({ code: 0, stderr: '' });
    expect(tested.stdout).toMatch(/^< 220 [\s\S]*> RCPT TO:<owner@shop\.test>[\s\S]*Sent to owner@shop\.test\.\n$/);
    server.refusals.push({ code: 550, words: 'no such mailbox' });
    expect(await mail(['test', 'owner@shop.test', ...allow])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/Not sent: .*no such mailbox/),
    });
    server.arrived.length = 0;
  });

  it('lists, shows and resends what was sent', async () => {
    await place('ada@shop.test');
    expect(server.arrived.map(({ to }) => to)).toEqual([['ada@shop.test']]);
    const { items } = await json(['list', '--kind', 'order.confirmed']);
    expect(items).toMatchObject([{ to: 'ada@shop.test', status: 'succeeded' }]);
    expect((await mail(['list', '--status', 'failed'])).stdout).not.toContain('ada@shop.test');
    const id = String(items[0].id);
    const shown = await mail(['show', id.slice(0, 18)]);
    expect(shown.stdout).toContain('ada@shop.test');
    expect(shown.stdout).toContain('250 queued as 1');
    expect(shown.stdout).toContain('Mug');
    expect((await mail(['resend', id, '--to', 'eve@shop.test'])).stdout).toMatch(
      /^Queued as .* to eve@shop\.test\.\n$/,
    );
    const { items: again } = await json(['list', '--status', 'pending']);
    expect(again).toMatchObject([{ to: 'eve@shop.test', resentOf: id }]);
  });

  it('prints a letter with sample facts', async () => {
    const text = await mail(['preview', 'order.confirmed', '--locale', 'de']);
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).not.toContain('<p');
    expect((await mail(['preview', 'order.confirmed', '--html'])).stdout).toContain('<html');
    expect((await mail(['preview', 'newsletter'])).code).toBe(1);
  });

  it('is caught for development, and shown in a page that other names do not reach', { timeout: 60_000 }, async () => {
    const child = spawn(process.execPath, [bin, 'mail', 'catch', '--port', '0', '--web-port', '0', '--json']);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    try {
      await until('it listens', () => output.includes('\n'));
      const { port, url } = JSON.parse(output.split('\n')[0] ?? '') as { port: number; url: string };
      await mail(['configure', '--host', '127.0.0.1', '--port', String(port), '--security', 'none', ...allow]);
      await place('grace@shop.test');
      await until('it caught it', () => output.includes('grace@shop.test'));
      const list = await (await fetch(url)).text();
      expect(list).toContain('grace@shop.test');
      const [, path = ''] = /href="(\/mail\/\d+)"/.exec(list) ?? [];
      const page = await fetch(new URL(path, url));
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await page.text()).toContain('<iframe sandbox');
      const html = await fetch(new URL(path.replace('mail', 'html'), url));
      expect(html.headers.get('content-security-policy')).toMatch(/^sandbox;/);
      expect(await html.text()).toContain('Mug');
      expect((await fetch(new URL('/mail/99', url))).status).toBe(404);
      const { request } = await import('node:http');
      const foreign = request(url, { headers: { host: 'evil.example' } }).end();
      const [response] = (await once(foreign, 'response')) as [{ statusCode: number; resume(): void }];
      response.resume();
      expect(response.statusCode).toBe(403);
    } finally {
      child.kill('SIGTERM');
      expect((await once(child, 'exit'))[0]).toBe(0);
    }
  });
});
