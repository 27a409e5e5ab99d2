import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Command, Option } from 'commander';
import type { Email } from 'postal-mime';
import { bareCommand, parsePort } from '../input/options.ts';

interface CatchOptions {
  port: number;
  webPort: number;
  json?: boolean;
}

/** Mails that are kept, the newest; bytes of one. */
const maxMails = 200;
const maxBytes = 10 * 1024 * 1024;

const host = '127.0.0.1';

interface Caught {
  number: number;
  to: string;
  at: string;
  mail: Email;
}

/** A mail server for development: keeps what it gets, and shows it in a page. Sends nothing on. */
export function catchCommand(): Command {
  return bareCommand('catch', 'catch mails on this machine and show them in a page, instead of sending them', [
    'mail catch',
    'mail catch --port 2525 --web-port 8025',
  ])
    .option('--json', 'print JSON')
    .addOption(
      new Option('--port <number>', 'the port for mail; 0 picks a free one').argParser(parsePort).default(1025),
    )
    .addOption(
      new Option('--web-port <number>', 'the port of the page; 0 picks a free one').argParser(parsePort).default(8025),
    )
    .action(catchMails);
}

async function catchMails(options: CatchOptions): Promise<void> {
  const [{ SMTPServer }, { default: PostalMime }] = await Promise.all([import('smtp-server'), import('postal-mime')]);
  const caught: Caught[] = [];
  let count = 0;
  const mailServer = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    // Any name and password will do.
    onAuth: (auth, _, callback) => callback(null, { user: auth.username ?? 'anyone' }),
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: maxBytes,
    maxClients: 50,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      let bytes = 0;
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= maxBytes) chunks.push(chunk);
      });
      stream.on('end', () => {
        if (bytes > maxBytes) return callback(Object.assign(new Error('the mail is too large'), { responseCode: 552 }));
        PostalMime.parse(Buffer.concat(chunks)).then(
          (mail) => {
            const to = session.envelope.rcptTo.map(({ address }) => address).join(', ');
            const one = { number: ++count, to, at: new Date().toISOString(), mail };
            caught.unshift(one);
            caught.length = Math.min(caught.length, maxMails);
            process.stdout.write(
              options.json ? `${JSON.stringify(shortOf(one))}\n` : `${one.at} ${to}: ${mail.subject}\n`,
            );
            callback(null, `caught as ${one.number}`);
          },
          () => callback(Object.assign(new Error('this is no mail'), { responseCode: 554 })),
        );
      });
    },
  });
  mailServer.on('error', () => {});
  const page = createServer((request, response) => answer(request, response, caught));
  await listening(mailServer.server, () => mailServer.listen(options.port, host));
  await listening(page, () => page.listen(options.webPort, host));
  const { port } = mailServer.server.address() as AddressInfo;
  const url = `http://${host}:${(page.address() as AddressInfo).port}/`;
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ host, port, url })}\n`
      : [
          `Mails to ${host}:${port} are shown at ${url}; none is sent on. Stop with Ctrl+C.`,
          'To use it, start the server with --smtp-allow 127.0.0.1/32, and run:',
          `  commerce mail configure --from shop@example.com --owner owner@example.com --host ${host} --port ${port} --security none --smtp-allow 127.0.0.1/32`,
          '',
        ].join('\n'),
  );
  await new Promise<void>((resolve) => {
    const stop = () => {
      page.closeAllConnections();
      page.close(() => mailServer.close(() => resolve()));
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  });
}

async function listening(server: NodeJS.EventEmitter, listen: () => unknown): Promise<void> {
  listen();
  await once(server, 'listening');
}

const shortOf = ({ number, to, at, mail }: Caught) => ({
  number,
  to,
  at,
  subject: mail.subject ?? '',
  text: mail.text ?? '',
});

const style =
  'body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem}iframe{width:100%;height:70vh;border:1px solid #888}pre{white-space:pre-wrap;overflow-wrap:anywhere}td,th{text-align:left;padding:.25rem 1rem .25rem 0}';
const styleHash = createHash('sha256').update(style).digest('base64');

/** The mails are hostile: their HTML is shown in a frame without rights, and loads only images. */
const policies = {
  page: `default-src 'none'; style-src 'sha256-${styleHash}'; frame-src 'self'; base-uri 'none'; form-action 'none'`,
  mail: "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data: https: http:; base-uri 'none'; form-action 'none'",
};

function answer(request: IncomingMessage, response: ServerResponse, caught: readonly Caught[]): void {
  // A page elsewhere could otherwise read the mails through a name that leads to this machine.
  const [name] = (request.headers.host ?? '').split(':');
  if (name !== host && name !== 'localhost') {
    response.writeHead(403).end();
    return;
  }
  const path = request.url ?? '/';
  const [, what = '', number = ''] = /^\/(mail|html)\/(\d{1,9})$/.exec(path) ?? [];
  const one = caught.find((mail) => mail.number === Number(number));
  if (path === '/') send(response, listPage(caught));
  else if (!one) response.writeHead(404, { 'Content-Type': 'text/plain' }).end('There is no such mail.\n');
  else if (what === 'html') send(response, one.mail.html ?? '', policies.mail);
  else send(response, mailPage(one));
}

function send(response: ServerResponse, html: string, policy: string = policies.page): void {
  response
    .writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    })
    .end(html);
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');

function framed(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${style}</style></head><body>${body}</body></html>`;
}

function listPage(caught: readonly Caught[]): string {
  const rows = caught.map(
    ({ number, at, to, mail }) =>
      `<tr><td>${escaped(at)}</td><td>${escaped(to)}</td><td><a href="/mail/${number}">${escaped(mail.subject || 'No subject')}</a></td></tr>`,
  );
  const table = `<table><thead><tr><th scope="col">Time</th><th scope="col">To</th><th scope="col">Subject</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
  return framed(
    'Caught mails',
    `<h1>Caught mails</h1>${rows.length > 0 ? table : '<p>None yet. Reload this page once the shop has sent one.</p>'}`,
  );
}

function mailPage({ number, at, to, mail }: Caught): string {
  const { subject = 'No subject', from, text = '', attachments } = mail;
  const sender = from && 'address' in from ? `${from.name ?? ''} <${from.address ?? ''}>` : '';
  const files = attachments.map(({ filename, content }) => {
    const shown = typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('utf8');
    return `<h2>${escaped(filename ?? 'Attachment')}</h2><pre>${escaped(shown.slice(0, 100_000))}</pre>`;
  });
  return framed(
    subject,
    `<p><a href="/">All mails</a></p><h1>${escaped(subject)}</h1><p>From ${escaped(sender)} to ${escaped(to)}, ${escaped(at)}</p>` +
      `<iframe sandbox title="The mail" src="/html/${number}"></iframe><h2>As plain text</h2><pre>${escaped(text)}</pre>${files.join('')}`,
  );
}
