import { type RunningStub, startProviderStub } from '@commerce/core/testing';
import { initStore } from '@commerce/test-support/fixtures/payments-cli';
import { commerce } from '@commerce/test-support/harness/processes';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, expect, it } from 'vitest';

forOneStorage('commerce payments connect', 'postgres', (database) => {
  const db = ['--db', database.address];
  const at = ['--public-url', 'https://api.example'];
  const of = ['--provider', 'stripe'];
  const target = async () => 200;
  let stub: RunningStub;
  let account: Record<string, string>;
  let url: string;

  const payments = (...args: string[]) => commerce(['payments', ...args, ...of, ...db]);
  const endpoints = () => stub.endpoints(target);
  const providersIn = ({ findings }: { findings: { check: string; status: string }[] }) =>
    findings.filter(({ check }) => check === 'providers');
  const doctor = async (...args: string[]) => {
    const { code, stdout } = await commerce(['doctor', ...args, ...at, '--json', ...db]);
    return { code, providers: providersIn(JSON.parse(stdout)) };
  };

  beforeAll(async () => {
    stub = await startProviderStub({ retryDelays: [], ticks: false });
    account = stub.account('stripe', target);
    const { storeId } = await initStore(database.address);
    url = `https://api.example/api/webhooks/stripe/${storeId}`;
  });
  afterAll(() => stub?.close());

  it('makes the endpoint at the provider, stores what verifies it, and shows no secret', async () => {
    const { secretKey = '', apiBase = '' } = account;
    const key = ['--secret-key', secretKey, '--api-base', apiBase];
    expect(await payments('connect', ...key)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('publicUrl'),
    });
    expect(endpoints()).toEqual([]);
    const { code, stdout, stderr } = await payments('connect', ...key, '--methods', 'card,ideal', ...at, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout).item).toMatchObject({
      provider: 'stripe',
      hasPages: true,
      settings: { methods: ['card', 'ideal'] },
    });
    expect(endpoints()).toMatchObject([{ url, isOn: true }]);
    expect(stdout).not.toContain(secretKey);
    expect(stdout).not.toContain(endpoints()[0]?.secret);
    // The key is stored now.
    expect(await payments('connect', ...at)).toEqual({ code: 0, stdout: 'stripe is connected\n', stderr: '' });
    expect(endpoints()).toHaveLength(1);
  });

  it('is checked by check and by doctor, which leaves the providers alone with --offline', async () => {
    const { code, stdout } = await payments('check', ...at);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/status +ok/) });
    expect(await doctor()).toMatchObject({ code: 0, providers: [{ status: 'ok' }] });
    Object.assign(endpoints()[0] ?? {}, { isOn: false });
    const off = await payments('check', ...at, '--json');
    expect([off.code, JSON.parse(off.stdout).item]).toMatchObject([1, { status: 'off', url }]);
    expect(await doctor()).toMatchObject({ code: 1, providers: [{ status: 'problem' }] });
    stub.calls.length = 0;
    expect(await doctor('--offline')).toEqual({ code: 0, providers: [] });
    expect(stub.calls).toEqual([]);
    await payments('connect', ...at);
    expect((await payments('check', ...at)).code).toBe(0);
  });

  it('has ways to pay that are changed by configure, delayed ones only if they are allowed', async () => {
    const { webhookSecret = '' } = account;
    const configure = (...args: string[]) => payments('configure', '--webhook-secret', webhookSecret, ...args);
    const delayed = ['--methods', 'card,sepa_debit'];
    expect(await configure(...delayed)).toMatchObject({ code: 2, stderr: expect.stringContaining('sepa_debit') });
    const { stdout } = await configure(...delayed, '--allow-delayed', '--json');
    expect(JSON.parse(stdout).item.settings).toMatchObject({ methods: ['card', 'sepa_debit'], allowDelayed: true });
    expect(await configure('--methods', 'card,bitcoin')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('bitcoin'),
    });
    expect((await payments('check', ...at)).code).toBe(0);
  });

  it('ends with disconnect, which deletes the endpoint and the settings', async () => {
    expect(await payments('disconnect', ...at)).toEqual({ code: 0, stdout: 'stripe is disconnected\n', stderr: '' });
    expect(endpoints()).toEqual([]);
    expect(await payments('check', ...at)).toMatchObject({ code: 1, stdout: '' });
    expect(await payments('disconnect', ...at)).toMatchObject({ code: 1, stdout: '' });
    expect(await doctor()).toEqual({ code: 0, providers: [] });
  });
});
