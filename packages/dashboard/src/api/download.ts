import { t } from '../words/words.ts';
import { api, at, had } from './client.ts';
import { ApiError, errorOf } from './errors.ts';

/** Resources that the interface exports whole. */
export type Exported = 'orders' | 'products' | 'categories' | 'customers' | 'pages';

/** Most bytes that a browser collects before it saves them; larger files need the command line. */
export const maxBytes = 256 * 1024 * 1024;

interface Watching {
  /** Filters of the list of that resource, as the interface names them; without them, all items. */
  query?: Record<string, string>;
  signal?: AbortSignal;
  /** Called several times a second with the bytes received so far. */
  onBytes?(bytes: number): void;
}

/**
 * Lets the browser save the items of a resource as a file.
 * @throws ApiError, also for a file of more than `maxBytes`
 */
export async function downloadExport(what: Exported, format: 'csv' | 'jsonl', watching: Watching = {}): Promise<void> {
  saveFile(await collect(what, format, watching), `${what}.${format}`);
}

/**
 * Lets the browser save an invoice or a credit note.
 * @throws ApiError
 */
export async function downloadInvoice({ id, number }: { id: string; number: string }): Promise<void> {
  const call = api.GET('/stores/{storeId}/invoices/{id}.pdf', { params: { path: at({ id }) }, parseAs: 'blob' });
  saveFile(await had(call), `${number}.pdf`);
}

/** Lets the browser save a file. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // After the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function collect(
  what: Exported,
  format: 'csv' | 'jsonl',
  { query = {}, signal, onBytes }: Watching,
): Promise<Blob> {
  const path = `/stores/{storeId}/exports/${what}.${format}` as '/stores/{storeId}/exports/products.csv';
  const aborting = signal ? { signal } : {};
  const { response, error } = await api.GET(path, {
    params: { path: at(), query },
    parseAs: 'stream',
    ...aborting,
  });
  if (!response.ok || !response.body) throw errorOf(response, error);
  const parts: Blob[] = [];
  let bytes = 0;
  let told = 0;
  const reader = response.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    bytes += next.value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw new ApiError({
        status: 413,
        code: 'PAYLOAD_TOO_LARGE',
        message: t.kit.exports.tooLarge(maxBytes / 1024 / 1024),
      });
    }
    // The browser can keep a blob on disk, but not an array of the page.
    parts.push(new Blob([next.value]));
    if (performance.now() - told > 200) {
      told = performance.now();
      onBytes?.(bytes);
    }
  }
  return new Blob(parts, { type: format === 'csv' ? 'text/csv' : 'application/x-ndjson' });
}
