import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Certificate } from './certificate.ts';

export interface RawSubscriber {
  url: string;
  /** The bytes of each request, as far as they were read. */
  requests: string[];
  /** Open connections. */
  open(): number;
  /** All connections so far. */
  opened(): number;
  /** Bytes passed to the sockets. */
  written(): number;
  close(): Promise<void>;
}

export interface RawOptions {
  /** Uses TLS. */
  certificate?: Certificate;
  /** Protocols that it offers within TLS, the best first. */
  protocols?: readonly string[];
  /** Answers at the first bytes, and stops reading; by default a request is read to its end. */
  early?: boolean;
}

/** A subscriber on loopback with hand-written answers, byte by byte. */
export async function startRawSubscriber(
  answer: (socket: Socket) => void,
  { certificate, protocols, early = false }: RawOptions = {},
): Promise<RawSubscriber> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let opened = 0;
  let closed = 0;
  const onConnection = (socket: Socket) => {
    opened++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      closed += socket.bytesWritten;
    });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const [head = '', body] = splitOnce(text, '\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (!early && (body === undefined || body.length < length)) return;
      if (early) socket.pause();
      requests.push(text);
      text = '';
      answer(socket);
    });
  };
  const server = certificate
    ? createTlsServer({ ...certificate, ...(protocols && { ALPNProtocols: [...protocols] }) }, onConnection).on(
        'tlsClientError',
        () => {},
      )
    : createServer(onConnection);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http${certificate ? 's' : ''}://127.0.0.1:${port}/hook`,
    requests,
    open() {
      // A socket that does not read does not notice that the other side has closed.
      for (const socket of sockets) socket.resume();
      return sockets.size;
    },
    opened: () => opened,
    written: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, closed),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Writes only as fast as the other side reads. */
export function writeForEver(socket: Socket, chunk: Buffer | string): void {
  const more = () => {
    if (!socket.destroyed) socket.write(chunk, () => setImmediate(more));
  };
  more();
}

/** Writes a byte each second. */
export function drip(socket: Socket, text: string): void {
  let sent = 0;
  const timer = setInterval(() => socket.write(text[sent++ % text.length] ?? ' '), 1000);
  socket.once('close', () => clearInterval(timer));
}

function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}
