import { useEffect, useRef, useState } from 'preact/hooks';
import { downloadExport, maxBytes } from '../../api/download.ts';
import { isAbort, toApiError } from '../../api/errors.ts';
import { Button, Section, toast } from '../../kit/index.ts';
import { explain } from '../../kit/states.tsx';
import { type Resource, readable, words } from './resources.ts';

interface Running {
  name: string;
  bytes: number;
}

/** Downloads of whole resources as files. */
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
      await downloadExport(resource, format, { signal: own.signal, onBytes: (bytes) => setRunning({ name, bytes }) });
      toast(`${name} downloaded.`);
    } catch (thrown) {
      if (!isAbort(thrown)) toast(explain(toApiError(thrown))[1], { tone: 'bad' });
    } finally {
      setRunning(undefined);
    }
  };
  return (
    <Section title="Export">
      <p class="quiet">
        CSV opens in a spreadsheet; JSON Lines keep all data. Above {maxBytes / 1024 / 1024} MiB, use the command line:{' '}
        <code>commerce products export products.csv</code>.
      </p>
      <p class="unseen" role="status">
        {running ? `Downloading ${running.name}.` : ''}
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
