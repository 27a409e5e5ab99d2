import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as it arrived: its envelope, its source, and what a mail program reads in it. */
export interface Arrived {
  from: string;
  to: string[];
  source: string;
  mail: Email;
}

/** An answer of the server in place of "250 ok". */
export interface Refusal {
  code: number;
  words: string;
}

export interface MailServer {
  port: number;
  /** The settings of a store that sends to it, without encryption. */
  smtp: { host: string; port: number; security: 'none' };
  arrived: Arrived[];
  /** Answers to the next recipients, one each. */
  refusals: Refusal[];
  /** Called before a mail is accepted; the answer waits for it. */
  beforeAnswer: ((arrived: Arrived) => unknown) | undefined;
  /** Connections so far. */
  connections: number;
  close(): Promise<void>;
}

/** A real mail server on loopback, which keeps what arrives. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const refused = ({ code, words }: Refusal) => Object.assign(new Error(words), { responseCode: code });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 1000,
    onConnect(_, callback) {
      state.connections++;
      callback();
    },
    onRcptTo(_, __, callback) {
      const refusal = state.refusals.shift();
      callback(refusal ? refused(refusal) : null);
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const source = Buffer.concat(chunks).toString('utf8');
        const { mailFrom, rcptTo } = session.envelope;
        const arrived = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source,
          mail: await PostalMime.parse(source),
        };
        await state.beforeAnswer?.(arrived);
        state.arrived.push(arrived);
        callback(null, 'queued as 1');
      });
    },
    ...options,
  });
  // A client that is killed resets its connection.
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const state: MailServer = {
    port,
    smtp: { host: '127.0.0.1', port, security: 'none' },
    arrived: [],
    refusals: [],
    beforeAnswer: undefined,
    connections: 0,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return state;
}
