import { isIP } from 'node:net';
import type { AddressGuard } from './address-guard.ts';

export interface SmtpServer {
  host: string;
  port: number;
  /** `starttls` begins in clear text and insists on encryption; `tls` begins with it. */
  security: 'starttls' | 'tls' | 'none';
  user: string | null;
  password: string | null;
}

/** A mail for one address. Its texts cannot name files or addresses to read. */
export interface SmtpMail {
  messageId: string;
  date: Date;
  from: { name: string; address: string };
  replyTo: string | null;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Texts, and PDF files as bytes. */
  attachments: readonly { filename: string; content: string | Buffer }[];
}

/** The server did not take a mail. */
export class SmtpFailure extends Error {
  /** The code of its answer; null without an answer. */
  readonly code: number | null;
  /** True if it will never take this mail. */
  readonly isFinal: boolean;
  /** True if it takes no mail at all now: it cannot be reached, or refuses the password. */
  readonly isOfServer: boolean;

  constructor(message: string, about: { code: number | null; isFinal: boolean; isOfServer: boolean }) {
    super(message);
    this.code = about.code;
    this.isFinal = about.isFinal;
    this.isOfServer = about.isOfServer;
  }
}

export interface SmtpOptions {
  /** Refuses addresses in the service's own network. */
  guard: AddressGuard;
  /** The name with which this machine says hello: the domain of the sender. */
  hello: string;
  signal?: AbortSignal | undefined;
  /** Called with each line that goes to the server (`>`) and comes from it (`<`), without secrets and without the mail. */
  onLine?: ((line: string) => void) | undefined;
}

/** Milliseconds: for connecting, for the greeting, for each answer, and for the whole. */
const timeouts = { connect: 10_000, greeting: 10_000, answer: 20_000, all: 60_000 };

/** The session was in the wrong state: a new connection can send the same mail. */
const badSequence = 503;

/** Codes of nodemailer for failures that say nothing about the mail. */
const ofServer = new Set(['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'ETLS', 'EAUTH', 'ENOAUTH', 'EPROXY']);

/**
 * Sends a mail by SMTP (RFC 5321).
 * @returns the last answer of the server
 * @throws SmtpFailure
 */
export async function sendBySmtp(server: SmtpServer, mail: SmtpMail, options: SmtpOptions): Promise<string> {
  const { guard, hello, signal, onLine } = options;
  const address = await addressOf(server.host, guard);
  // Loaded with the first mail, because most processes send none.
  const { createTransport } = (await import('nodemailer')).default;
  const transport = createTransport({
    host: address,
    port: server.port,
    secure: server.security === 'tls',
    // Else the mail, and the password, would go on in clear text to a server that offers no encryption.
    requireTLS: server.security === 'starttls',
    ignoreTLS: server.security === 'none',
    tls: isIP(server.host) === 0 ? { servername: server.host } : {},
    ...(server.user !== null && { auth: { user: server.user, pass: server.password ?? '' } }),
    name: hello,
    connectionTimeout: timeouts.connect,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.answer,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(onLine && { logger: loggerOf(onLine), transactionLog: true }),
  });
  const { messageId, date, from, replyTo, to, subject, text, html, attachments } = mail;
  const time = AbortSignal.timeout(timeouts.all);
  try {
    const { response } = await transport.sendMail({
      messageId,
      date,
      from,
      to: { name: '', address: to },
      ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
      subject,
      text,
      html,
      attachments: attachments.map(({ filename, content }) => ({
        filename,
        content,
        contentType: typeof content === 'string' ? 'text/plain; charset=utf-8' : 'application/pdf',
      })),
      headers: {
        // RFC 3834: robots that are out of office stay silent.
        'Auto-Submitted': 'auto-generated',
        // Gmail would fold mails of one subject.
        'X-Entity-Ref-ID': messageId,
      },
      signal: signal ? AbortSignal.any([signal, time]) : time,
    });
    return response;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw failureOf(error, time.aborted);
  } finally {
    transport.close();
  }
}

/** The address to connect to, which is checked: a name could lead into the service's own network. */
async function addressOf(host: string, guard: AddressGuard): Promise<string> {
  const refused = guard.refuseHost(host);
  if (refused) throw new SmtpFailure(refused.reason, { code: null, isFinal: false, isOfServer: true });
  if (isIP(host) !== 0) return host;
  return new Promise((resolve, reject) => {
    guard.lookup(host, { all: true }, (error, addresses) => {
      const found = typeof addresses === 'string' ? [{ address: addresses, family: 4 }] : (addresses ?? []);
      const chosen = found.find(({ family }) => family === 4) ?? found[0];
      if (!error && chosen) return resolve(chosen.address);
      const reason = error?.message ?? `${host} has no address`;
      reject(new SmtpFailure(reason, { code: null, isFinal: false, isOfServer: true }));
    });
  });
}

interface MailerError {
  message?: string;
  code?: string;
  responseCode?: number;
}

function failureOf(error: unknown, isLate: boolean): SmtpFailure {
  const { message = String(error), code = '', responseCode } = (error ?? {}) as MailerError;
  if (isLate) {
    const late = `the server took more than ${timeouts.all / 1000} s`;
    return new SmtpFailure(late, { code: null, isFinal: false, isOfServer: true });
  }
  const isOfServer = ofServer.has(code);
  // A refused password (535) says nothing about the mail: it is sent once the password is right.
  const isFinal = !isOfServer && responseCode !== undefined && responseCode >= 500 && responseCode !== badSequence;
  return new SmtpFailure(message, { code: responseCode ?? null, isFinal, isOfServer });
}

/** What the mailer tells about the conversation: commands and answers; it puts a mark in place of secrets. */
function loggerOf(onLine: (line: string) => void) {
  const tell = (entry: unknown, ...words: unknown[]) => {
    const { tnx } = (entry ?? {}) as { tnx?: string };
    const arrow = tnx === 'client' ? '> ' : tnx === 'server' ? '< ' : undefined;
    if (arrow === undefined) return;
    const [line = '', ...values] = words.map(String);
    let i = 0;
    for (const text of line.replace(/%s/g, () => values[i++] ?? '').split('\n')) {
      if (text.trim() !== '') onLine(arrow + text.trimEnd());
    }
  };
  return { level: () => {}, trace: tell, debug: tell, info: tell, warn: tell, error: tell, fatal: tell };
}
