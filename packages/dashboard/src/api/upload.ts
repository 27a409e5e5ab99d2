import { service } from '../browser/places.ts';
import { at, ofDashboard } from './client.ts';
import { errorOf, noAnswer } from './errors.ts';
import { currentAccess, onUnauthorized } from './session.ts';

export interface Sending {
  query?: Record<string, string>;
  body: FormData | Blob;
  /** Type of the body; absent for a form, which sets its own. */
  type?: string;
  /** Called with the share that was sent, from 0 to 1. */
  onProgress?(share: number): void;
  signal?: AbortSignal;
}

/**
 * Posts a file and reports the progress, which `fetch` cannot.
 * @param path below the store, such as `/media`
 * @throws ApiError if it is refused or there is no answer; DOMException `AbortError` if it was cancelled
 */
export function postFile<T>(path: string, { query = {}, body, type, onProgress, signal }: Sending): Promise<T> {
  const url = new URL(`${service}/stores/${at().storeId}${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const access = currentAccess();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const giveUp = () => request.abort();
    request.open('POST', url);
    if (access?.key) request.setRequestHeader('Authorization', `Bearer ${access.key.key}`);
    else request.setRequestHeader(ofDashboard, '1');
    if (type) request.setRequestHeader('Content-Type', type);
    request.upload.onprogress = ({ loaded, total }) => total > 0 && onProgress?.(loaded / total);
    request.upload.onload = () => onProgress?.(1);
    request.onload = () => {
      const parsed = parse(request.responseText);
      if (request.status >= 200 && request.status < 300) return resolve(parsed as T);
      if (request.status === 401 && access) onUnauthorized(access);
      const headers = new Headers();
      for (const name of ['Retry-After', 'X-Request-Id']) {
        const value = request.getResponseHeader(name);
        if (value !== null) headers.set(name, value);
      }
      reject(errorOf(new Response(null, { status: request.status, headers }), parsed));
    };
    request.onerror = () => reject(noAnswer());
    request.onabort = () => reject(new DOMException('given up', 'AbortError'));
    request.onloadend = () => signal?.removeEventListener('abort', giveUp);
    if (signal?.aborted) return reject(new DOMException('given up', 'AbortError'));
    signal?.addEventListener('abort', giveUp);
    request.send(body);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
