import { useEffect, useRef, useState } from 'preact/hooks';
import { api, at } from '../../api/client.ts';
import { ApiError, errorOf, isAbort, toApiError } from '../../api/errors.ts';
import { Button, Section, toast } from '../../kit/index.ts';
import { explain } from '../../kit/states.tsx';
import { type Resource, readable, words } from './resources.ts';

/** Bytes that a browser collects before it saves them; larger files are for the command line. */
const maxBytes = 256 * 1024 * 1024;

interface Running {
  name: string;
  bytes: number;
}

/** Downloads of everything, as files. */
export function ExportSection() {
  const [running, setRunning] = useState<Running>();
  const control = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => control.current?.abort(), []);
  const download = async (resource: Resource, format: 'csv' | 'jsonl') => {
    const name = `${resource}.${format}`;
    const own = new AbortController();
    control.current = own;
    setRunning({ name, bytes: 0 });
    try {
      const file = await collect(resource, format, own.signal, (bytes) => setRunning({ name, bytes }));
      save(file, name);
      toast(`${name} is downloaded.`);
    } catch (thrown) {
      if (!isAbort(thrown)) toast(explain(toApiError(thrown))[1], { tone: 'bad' });
    } finally {
      setRunning(undefined);
    }
  };
  return (
    <Section title="Export">
      <p class="quiet">
        CSV opens in a spreadsheet; JSON Lines lose nothing. Above {maxBytes / 1024 / 1024} MiB, use the command line,
        which needs no room in a browser: <code>commerce products export products.csv</code>.
      </p>
      <p class="unseen" role="status">
        {running ? `${running.name} is being downloaded.` : ''}
      </p>
      <ul class="exports">
        {readable().map((resource) => (
          <li key={resource}>
            <span>{words[resource]}</span>
            {running?.name.startsWith(`${resource}.`) ? (
              <>
                <span class="quiet">
                  {(running.bytes / 1024).toLocaleString(undefined, { maximumFractionDigits: 0 })} KiB
                </span>
                <Button kind="quiet" onClick={() => control.current?.abort()}>
                  Give up
                </Button>
              </>
            ) : (
              (['csv', 'jsonl'] as const).map((format) => (
                <Button
                  key={format}
                  icon="down"
                  busy={running !== undefined}
                  label={`${words[resource]} as ${format === 'csv' ? 'CSV' : 'JSON Lines'}`}
                  onClick={() => void download(resource, format)}
                >
                  {format === 'csv' ? 'CSV' : 'JSON Lines'}
                </Button>
              ))
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The bytes of a download as they come, up to what a browser should hold. @throws ApiError */
async function collect(
  resource: Resource,
  format: 'csv' | 'jsonl',
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<Blob> {
  const path = `/stores/{storeId}/exports/${resource}.${format}` as '/stores/{storeId}/exports/products.csv';
  const { response, error } = await api.GET(path, { params: { path: at() }, parseAs: 'stream', signal });
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
        message: `${resource} have more than ${maxBytes / 1024 / 1024} MiB; download them with: commerce ${resource} export ${resource}.${format}`,
      });
    }
    // A blob may lie on the disk, which an array of the page may not.
    parts.push(new Blob([next.value]));
    if (performance.now() - told > 200) {
      told = performance.now();
      onBytes(bytes);
    }
  }
  return new Blob(parts, { type: format === 'csv' ? 'text/csv' : 'application/x-ndjson' });
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
