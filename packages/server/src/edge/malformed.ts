import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorCode, errorCodes } from '@commerce/core';
import type { Answer } from '../http.ts';

/** Refusals of bytes that are not a request, by the code of the parser's error. The bytes are not repeated. */
const refusals: Record<string, Answer> = {
  HPE_HEADER_OVERFLOW: refusal(431, errorCodes.tooLarge, 'the address and headers must have at most 16 KiB'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refusal(413, errorCodes.tooLarge, 'the extensions of chunks must have at most 16 KiB'),
  ERR_HTTP_REQUEST_TIMEOUT: refusal(408, errorCodes.validation, 'the request did not arrive in time'),
};

export const malformed = refusal(400, errorCodes.validation, 'this is not a well-formed HTTP/1.1 request');

export const noHost = refusal(400, errorCodes.validation, 'the header Host is required');
export const wrongHost = refusal(400, errorCodes.validation, 'the header Host must be one host, and perhaps a port');
export const tooManyHeaders = refusal(431, errorCodes.tooLarge, 'there must be at most 100 headers');
export const unknownExpectation = refusal(417, errorCodes.validation, 'the only expectation known is 100-continue');
export const noTunnel = refusal(405, errorCodes.methodNotAllowed, 'CONNECT is not a method of this service');

/** The answer to bytes that the parser refused. */
export function refusalOf(error: Error): Answer {
  return refusals[(error as NodeJS.ErrnoException).code ?? ''] ?? malformed;
}

function refusal(status: number, code: ErrorCode, message: string): Answer {
  return { status, headers: { Connection: 'close' }, body: JSON.stringify({ error: { code, message } }) };
}

/** Milliseconds in which the client can continue sending; a client that is cut off at once might never read the answer. */
const lingerTime = 1000;

/** Writes an answer to a connection without a request, and closes it. */
export function refuseConnection(socket: Duplex, { status, body = '' }: Answer, requestId = randomUUID()): void {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const cutting = setTimeout(() => socket.destroy(), lingerTime).unref();
  socket.once('close', () => clearTimeout(cutting));
}
