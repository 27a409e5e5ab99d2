import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@commerce/test-support/harness/processes';
import { freePort } from '@commerce/test-support/harness/sockets';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webhookHeaders } from '../packages/core/src/webhooks/signature.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('the receiver that docs/webhooks.md shows', () => {
  let url: string;
  // Inside the project, so that its imported packages are found.
  const folder = mkdtempSync(join(root, 'test/.receiver-'));
  let stop: () => Promise<unknown>;
  beforeAll(async () => {
    const page = readFileSync(join(root, 'docs/webhooks.md'), 'utf8');
    const shown = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);
    const receiver = shown.find((code) => code.includes('@commerce/core/webhook')) ?? '';
    expect(receiver).toContain('.listen(4242)');
    const port = await freePort();
    url = `http://127.0.0.1:${port}/`;
    const file = join(folder, 'receiver.mjs');
    writeFileSync(file, receiver.replace('.listen(4242)', `.listen(${port}, '127.0.0.1')`));
    const child = spawn(process.execPath, [file], {
      env: { ...process.env, WEBHOOK_SECRET: secret },
      stdio: 'inherit',
    });
    stop = async () => {
      if (child.exitCode !== null) return;
      child.kill();
      await once(child, 'exit');
    };
    await until('it listens', () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    );
  });
  afterAll(async () => {
    await stop?.();
    rmSync(folder, { recursive: true, force: true });
  });

  const send = async (signedWith: string, change = '') => {
    const id = '0193d3f5-03d0-76bd-8f90-a5273846e517';
    const body = JSON.stringify({
      id,
      type: 'order.paid',
      timestamp: '2026-11-20T12:00:00.000Z',
      storeId: 's',
      data: {},
    });
    const event = { id, type: 'order.paid', storeId: 's', createdAt: Date.now(), data: '{}' };
    const signing = { secrets: [signedWith], signatureFormat: 'sha256' } as const;
    const headers = webhookHeaders(event, Buffer.from(body), signing, Date.now());
    const response = await fetch(url, { method: 'POST', headers, body: body + change });
    return { status: response.status, text: await response.text() };
  };

  it('takes what is genuine and says why it refuses what is not', async () => {
    expect(await send(secret)).toEqual({ status: 204, text: '' });
    expect(await send('another secret than that')).toMatchObject({
      status: 400,
      text: expect.stringMatching(/does not match/),
    });
    expect(await send(secret, ' ')).toMatchObject({ status: 400 });
    const bare = await fetch(url, { method: 'POST', body: '{}' });
    expect(bare.status).toBe(400);
  });
});
