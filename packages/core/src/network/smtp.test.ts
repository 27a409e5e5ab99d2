import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import tls from 'node:tls';
import { newCertificate } from '@commerce/test-support/harness/certificate';
import { type MailServer, startMailServer } from '@commerce/test-support/harness/mail-server';
import { afterEach, expect, it } from 'vitest';
import { openAddressGuard } from './address-guard.ts';
import { SmtpFailure, type SmtpMail, type SmtpServer, sendBySmtp } from './smtp.ts';

const guard = openAddressGuard(['127.0.0.0/8']);
const mail: SmtpMail = {
  messageId: '<1@shop.example>',
  date: new Date('2026-11-20T12:00:00Z'),
  from: { name: 'Tea & Co, "the" shop', address: 'shop@shop.example' },
  replyTo: 'hello@shop.example',
  to: 'ada@shop.test',
  subject: 'Ihre Bestellung – größer',
  text: 'Grüße\n.\nA line with a dot above.',
  html: '<p>Grüße</p>',
  attachments: [{ filename: 'AGB größer.txt', content: 'Bedingungen' }],
};

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function start(options?: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const server = await startMailServer(options);
  ends.push(server.close);
  return server;
}

const none = { user: null, password: null } as const;
const send = (server: SmtpServer, more: Partial<SmtpMail> = {}, onLine?: (line: string) => void) =>
  sendBySmtp(server, { ...mail, ...more }, { guard, hello: 'shop.example', onLine });
const failureOf = async (server: SmtpServer, more?: Partial<SmtpMail>) => {
  const error = await send(server, more).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SmtpFailure);
  const { message, code, isFinal, isOfServer } = error as SmtpFailure;
  return { message, code, isFinal, isOfServer };
};

it('sends a mail whole: names, languages, dots, attachments', async () => {
  const server = await start();
  expect(await send({ ...server.smtp, ...none })).toBe('250 queued as 1');
  const [arrived] = server.arrived;
  expect(arrived).toMatchObject({ from: 'shop@shop.example', to: ['ada@shop.test'] });
  expect(arrived?.mail).toMatchObject({
    from: { name: 'Tea & Co, "the" shop', address: 'shop@shop.example' },
    to: [{ address: 'ada@shop.test' }],
    replyTo: [{ address: 'hello@shop.example' }],
    subject: mail.subject,
    messageId: mail.messageId,
    date: '2026-11-20T12:00:00.000Z',
  });
  expect(arrived?.mail.text?.replaceAll('\r\n', '\n').trim()).toBe(mail.text);
  expect(arrived?.mail.html?.trim()).toBe(mail.html);
  expect(arrived?.mail.attachments.map(({ filename }) => filename)).toEqual(['AGB größer.txt']);
});

it('names one recipient and no further header, whatever a subject or a name contains', async () => {
  const server = await start();
  const hostile = 'Hello\r\nBcc: eve@evil.test\r\n\r\nanother body';
  await send({ ...server.smtp, ...none }, { subject: hostile, from: { name: hostile, address: 'shop@shop.example' } });
  const [arrived] = server.arrived;
  expect(arrived?.to).toEqual(['ada@shop.test']);
  const headers = arrived?.mail.headers.map(({ key }) => key) ?? [];
  expect(headers).not.toContain('bcc');
  expect(headers.filter((key) => key === 'subject')).toHaveLength(1);
  expect(arrived?.mail.text?.replaceAll('\r\n', '\n').trim()).toBe(mail.text);
});

it('signs in, and tells the conversation without the password', async () => {
  const given: unknown[] = [];
  const server = await start({
    authOptional: false,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, callback) => {
      given.push([username, password]);
      callback(null, { user: username ?? '' });
    },
  });
  const lines: string[] = [];
  const password = 'a secret of the shop';
  await send({ ...server.smtp, user: 'shop', password }, {}, (line) => lines.push(line));
  expect(given).toEqual([['shop', password]]);
  expect(lines[0]).toMatch(/^< 220 /);
  expect(lines).toContain('> MAIL FROM:<shop@shop.example>');
  const said = lines.join('\n');
  for (const text of [
    password,
    Buffer.from(password).toString('base64'),
    Buffer.from(`\0shop\0${password}`).toString('base64'),
  ])
    expect(said).not.toContain(text);
});

it('does not send the password in clear text to a server that offers no encryption', async () => {
  const given: unknown[] = [];
  const server = await start({
    authOptional: false,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (auth, _, callback) => {
      given.push(auth);
      callback(null, { user: 'shop' });
    },
  });
  const failure = await failureOf({ ...server.smtp, security: 'starttls', user: 'shop', password: 'secret' });
  expect(failure).toMatchObject({ isFinal: false, isOfServer: true });
  expect([given, server.arrived]).toEqual([[], []]);
});

it.each(['tls', 'starttls'] as const)('checks the certificate with %s', async (security) => {
  const right = newCertificate({ host: 'localhost' });
  const other = newCertificate({ host: 'other.example' });
  const usual = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...usual, right.cert, other.cert]);
  ends.push(async () => tls.setDefaultCACertificates(usual));
  const options = (certificate: { cert: string; key: string }) => ({
    ...certificate,
    secure: security === 'tls',
    disabledCommands: [],
  });
  const server = await start(options(right));
  const at = { ...server.smtp, host: 'localhost', security, ...none };
  expect(await send(at)).toMatch(/^250 /);
  expect(server.arrived).toHaveLength(1);
  const wrong = await start(options(other));
  expect(await failureOf({ ...at, port: wrong.port })).toMatchObject({
    message: expect.stringMatching(/altnames|Hostname/i),
    isFinal: false,
    isOfServer: true,
  });
  const unknown = await start(options(newCertificate({ host: 'localhost' })));
  expect(await failureOf({ ...at, port: unknown.port })).toMatchObject({ isFinal: false, isOfServer: true });
  expect([...wrong.arrived, ...unknown.arrived]).toEqual([]);
});

it.each([
  [450, { isFinal: false, isOfServer: false }],
  [550, { isFinal: true, isOfServer: false }],
  // A session in the wrong state says nothing about the mail.
  [503, { isFinal: false, isOfServer: false }],
] as const)('tells what an answer %i to the recipient means', async (code, meaning) => {
  const server = await start();
  server.refusals.push({ code, words: 'no' });
  expect(await failureOf({ ...server.smtp, ...none })).toMatchObject({ code, ...meaning });
});

it('gives up a server that says nothing, and one that cannot be reached', { timeout: 40_000 }, async () => {
  const silent = createServer(() => {});
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  ends.push(() => new Promise((resolve) => silent.close(resolve)));
  const { port } = silent.address() as AddressInfo;
  const at = { host: '127.0.0.1', port, security: 'none', ...none } as const;
  expect(await failureOf(at)).toMatchObject({ code: null, isFinal: false, isOfServer: true });
  const closed = await startMailServer();
  await closed.close();
  expect(await failureOf({ ...closed.smtp, ...none })).toMatchObject({ code: null, isFinal: false, isOfServer: true });
});

it.each(['10.0.0.1', '169.254.169.254', '[::1]', 'localhost'])('refuses %s without asking it', async (host) => {
  const server = { host, port: 25, security: 'tls', ...none } as const;
  const strict = openAddressGuard([]);
  const error = await sendBySmtp(server, mail, { guard: strict, hello: 'shop.example' }).catch((thrown) => thrown);
  expect(error).toMatchObject({ message: expect.stringContaining('refused'), isOfServer: true });
});
