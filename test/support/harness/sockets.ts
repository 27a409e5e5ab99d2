import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** A connection with hand-written requests. */
export interface Dialled {
  socket: Socket;
  write(bytes: string | Buffer): void;
  /** Text that has arrived so far. */
  seen(): string;
  /** All text until the connection was closed, by either side. */
  received(): Promise<string>;
}

export async function dial(port: number): Promise<Dialled> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // A reset counts as an end; only the text received so far matters.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  socket.on('end', () => socket.end());
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  const seen = () => Buffer.concat(chunks).toString('latin1');
  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    seen,
    async received() {
      await closed;
      return seen();
    },
  };
}

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * The answers in a stream of bytes, each with its whole body; fails on a malformed answer.
 * @param methods of the requests, because an answer to HEAD has no body
 */
export function parseAnswers(text: string, methods: string[] = []): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n');
    const [, status] = /^HTTP\/1\.1 (\d{3}) [\w '-]+$/.exec(line) ?? [];
    if (end === -1 || status === undefined) throw new Error(`no well-formed answer: ${JSON.stringify(rest)}`);
    rest = rest.slice(end + 4);
    if (status === '100') continue;
    const headers: Record<string, string> = {};
    for (const header of lines) {
      const [, name, value] = /^([\w-]+): (.*)$/.exec(header) ?? [];
      if (name === undefined || value === undefined)
        throw new Error(`no well-formed header: ${JSON.stringify(header)}`);
      if (name.toLowerCase() in headers) throw new Error(`a header twice: ${name}`);
      headers[name.toLowerCase()] = value;
    }
    const length = methods[answers.length] === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0);
    if (rest.length < length) throw new Error(`${rest.length} bytes of ${length}`);
    answers.push({ status: Number(status), headers, body: rest.slice(0, length) });
    rest = rest.slice(length);
  }
  return answers;
}
