import { createServer, type IncomingMessage } from 'node:http';
import { listeningUrl } from '@commerce/core';
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from '@commerce/core/webhook';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { bareCommand, parseHost, parsePort } from '../input/options.ts';
import { refuseRetiredSecret } from '../input/retired.ts';
import { shown } from '../output/print.ts';

interface ListenOptions {
  host: string;
  port: number;
  secret?: string;
  answer: number;
  body?: boolean;
  json?: boolean;
}

/** Largest body, in bytes. */
const maxBody = 16 * 1024 * 1024;

/** Receiver for development: prints each webhook and whether its signature is valid. Needs no database. */
export function listenCommand(): Command {
  return bareCommand('listen', 'receive webhooks on a local port, verify and print them', [
    'webhooks listen --secret "$COMMERCE_SUBSCRIBER_SECRET"',
    'webhooks listen --port 4242 --answer 500',
  ])
    .option('--json', 'print JSON')
    .addOption(new Option('--host <address>', 'the address to listen on').argParser(parseHost).default('127.0.0.1'))
    .addOption(new Option('--port <number>', 'the port; 0 picks a free one').argParser(parsePort).default(4242))
    .addOption(
      new Option('--secret <secret>', 'the secret of the subscription; without it, signatures are not verified').env(
        'COMMERCE_SUBSCRIBER_SECRET',
      ),
    )
    .addOption(
      new Option('--answer <status>', 'the status to answer with, to test retries').argParser(parseStatus).default(200),
    )
    .option('--body', 'print the full body')
    .action(listen);
}

async function listen(options: ListenOptions): Promise<void> {
  if (options.secret === undefined) refuseRetiredSecret('COMMERCE_SUBSCRIBER_SECRET');
  const server = createServer((request, response) => {
    readAll(request).then(
      (body) => {
        process.stdout.write(`${report(options, request, body)}\n`);
        response.writeHead(options.answer).end();
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : options.port;
  const url = `${listeningUrl(options.host, port)}/`;
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ url })}\n`
      : `Listening on ${url}; start the server with --allow-insecure-webhooks to use this address. Stop with Ctrl+C.\n`,
  );
  await new Promise<void>((resolve) => {
    const stop = () => {
      server.closeAllConnections();
      server.close(() => resolve());
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  });
}

/** Printed report of one request. */
function report(options: ListenOptions, request: IncomingMessage, body: Buffer): string {
  const at = new Date().toISOString();
  const { event, verified, problem } = check(options, request, body);
  if (options.json) {
    const text = JSON.stringify({ at, verified, problem, headers: request.headers, body: body.toString() });
    // JSON does not escape these.
    return text.replace(/[\u007f-\u009f]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
  }
  const mark = verified === null ? 'not checked' : verified ? 'verified' : 'REFUSED';
  const line = [at, mark, event?.type ?? request.headers['x-webhook-event'] ?? '?', event?.id ?? '', problem ?? ''];
  // Any program that reaches the port can send this, so control characters of the terminal are escaped.
  const whole = options.body ? `\n${pretty(body).split('\n').map(shown).join('\n')}` : '';
  return shown(line.filter((part) => part !== '').join('  ')) + whole;
}

/** `verified` is null without a secret to check with. */
function check({ secret }: ListenOptions, { headers }: IncomingMessage, body: Buffer) {
  if (secret === undefined) return { event: parsed(body), verified: null, problem: null };
  try {
    return { event: verifyWebhook({ body, headers }, secret), verified: true, problem: null };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { event: undefined, verified: false, problem: error.message };
  }
}

function parsed(body: Buffer): Partial<WebhookEvent> | undefined {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function pretty(body: Buffer): string {
  const value = parsed(body);
  return value === undefined ? body.toString() : JSON.stringify(value, null, 2);
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBody) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseStatus(value: string): number {
  if (!/^[2-5]\d\d$/.test(value)) throw new InvalidArgumentError('It must be an HTTP status from 200 to 599.');
  return Number(value);
}
