import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A mail as it arrived: the envelope, and the text with its headers. */
export interface SunkMail {
  from: string;
  to: string[];
  source: string;
}

/** Takes mails on loopback and keeps them, with the part of SMTP (RFC 5321) that a client needs to send a mail. */
export async function startSmtpSink() {
  const mails: SunkMail[] = [];
  const refusals: string[] = [];
  const sockets = new Set<Socket>();

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    let mail: SunkMail = { from: '', to: [], source: '' };
    let isData = false;
    let input = '';
    const say = (line: string) => socket.write(`${line}\r\n`);

    const command = (line: string): void => {
      const [, verb = '', address = ''] = /^(\w+)(?:.*<([^>]*)>)?/.exec(line) ?? [];
      if (/^(HELO|EHLO)$/i.test(verb)) say('250 sink');
      else if (/^MAIL$/i.test(verb)) mail = { from: address, to: [], source: '' };
      else if (/^RCPT$/i.test(verb)) mail.to.push(address);
      if (/^(MAIL|RCPT|RSET|NOOP)$/i.test(verb)) say('250 ok');
      else if (/^QUIT$/i.test(verb)) socket.end('221 bye\r\n');
      else if (/^DATA$/i.test(verb)) {
        const refusal = refusals.shift();
        isData = refusal === undefined;
        say(refusal ?? '354 go on');
      } else if (!/^(HELO|EHLO)$/i.test(verb)) say('502 unknown');
    };

    socket.setEncoding('utf8').on('data', (chunk: string) => {
      input += chunk;
      while (true) {
        const end = input.indexOf(isData ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const text = input.slice(0, end);
        input = input.slice(end + (isData ? 5 : 2));
        if (!isData) {
          command(text);
          continue;
        }
        // A leading dot of a line was doubled for transport.
        mails.push({ ...mail, source: text.replace(/^\.\./gm, '.') });
        isData = false;
        say('250 taken');
      }
    });
    say('220 sink');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** In order of arrival. */
    mails,
    /** Makes the server refuse the next mail with this line, such as "451 try later". */
    refuse: (line: string) => void refusals.push(line),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
