import { useEffect, useRef, useState } from 'preact/hooks';
import { downloadExport, maxBytes } from '../../api/download.ts';
import { isAbort, toApiError } from '../../api/errors.ts';
import { Button, Section, toast } from '../../kit/index.ts';
import { explain } from '../../kit/states.tsx';
import { filled } from '../../words/filled.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { type Resource, readable, words } from './resources.ts';

const text = t.transfer.export;

interface Running {
  name: string;
  bytes: number;
}

const formatNames = { csv: 'CSV', jsonl: 'JSON Lines' } as const;

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
      toast(text.done(name));
    } catch (thrown) {
      if (!isAbort(thrown)) toast(explain(toApiError(thrown))[1], { tone: 'bad' });
    } finally {
      setRunning(undefined);
    }
  };
  return (
    <Section title={text.title}>
      <p class="quiet">
        {filled(text.text(maxBytes / 1024 / 1024), { command: <code>commerce products export products.csv</code> })}
      </p>
      <p class="unseen" role="status">
        {running ? text.running(running.name) : ''}
      </p>
      <ul class="exports">
        {readable().map((resource) => (
          <li key={resource}>
            <span>{words[resource]}</span>
            {running?.name.startsWith(`${resource}.`) ? (
              <>
                <span class="quiet">
                  {formatNumber(running.bytes / 1024, {
                    style: 'unit',
                    unit: 'kilobyte',
                    maximumFractionDigits: 0,
                  })}
                </span>
                <Button kind="quiet" onClick={() => control.current?.abort()}>
                  {text.stop}
                </Button>
              </>
            ) : (
              (['csv', 'jsonl'] as const).map((format) => (
                <Button
                  key={format}
                  icon="down"
                  busy={running !== undefined}
                  label={text.as(words[resource], formatNames[format])}
                  onClick={() => void download(resource, format)}
                >
                  {formatNames[format]}
                </Button>
              ))
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
