import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { isAbort, toApiError } from '../../api/errors.ts';
import { postFile } from '../../api/upload.ts';
import { Icon } from '../../icons/icon.tsx';
import { Button, UserText } from '../../kit/index.ts';
import { explain } from '../../kit/states.tsx';
import { useUnsaved } from '../../kit/unsaved.ts';
import { typeOfImage } from './image-type.ts';
import { keepPicture, type Media } from './pictures.ts';

/** A file that is being uploaded. */
export interface Upload {
  id: number;
  file: File;
  state: 'waiting' | 'sending' | 'failed';
  /** Share that was sent, from 0 to 1; at 1 the service checks it. */
  sent: number;
  reason?: string;
}

export interface Uploads {
  list: readonly Upload[];
  add(files: Iterable<File>): void;
  retry(id: number): void;
  /** Removes a file from the list, and cancels its upload. */
  drop(id: number): void;
}

/** Accepted types and size. The service checks them itself; this check only reports them earlier. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'];
const maxBytes = 10 * 1024 * 1024;
/** Most files in the queue. */
const maxFiles = 200;
const lanes = 2;
let last = 0;

/** Sends files, two at a time, each with its own progress, error and retry. */
export function useUploads(onDone: (media: Media) => void): Uploads {
  const [list, setList] = useState<readonly Upload[]>([]);
  const queue = useRef<readonly Upload[]>([]);
  const done = useRef(onDone);
  done.current = onDone;
  const running = useRef(new Map<number, AbortController>());
  useEffect(
    () => () => {
      for (const control of running.current.values()) control.abort();
    },
    [],
  );
  useUnsaved(() => running.current.size > 0);
  const change = (next: (old: readonly Upload[]) => readonly Upload[]) => {
    queue.current = next(queue.current);
    setList(queue.current);
  };
  const patch = (id: number, changes: Partial<Upload>) =>
    change((old) => old.map((one) => (one.id === id ? { ...one, ...changes } : one)));
  const send = async ({ id, file }: Upload) => {
    const control = new AbortController();
    running.current.set(id, control);
    patch(id, { state: 'sending', sent: 0 });
    try {
      const type = await typeOfImage(file);
      if (type === undefined)
        return patch(id, { state: 'failed', reason: 'must be a JPEG, PNG, WebP, GIF or AVIF image' });
      const body = new FormData();
      // Browsers derive the type from the name, which can be wrong.
      body.append('files', type === file.type ? file : new File([file], file.name, { type }));
      const { items } = await postFile<{ items: Media[] }>('/media', {
        body,
        onProgress: (sent) => patch(id, { sent }),
        signal: control.signal,
      });
      change((old) => old.filter((one) => one.id !== id));
      for (const media of items) {
        keepPicture(media);
        done.current(media);
      }
    } catch (thrown) {
      if (!isAbort(thrown)) {
        const error = toApiError(thrown);
        patch(id, { state: 'failed', reason: error.details[0]?.reason ?? explain(error)[1] });
      }
    } finally {
      running.current.delete(id);
      next();
    }
  };
  const next = () => {
    const [first] = queue.current.filter(({ state }) => state === 'waiting');
    if (first && running.current.size < lanes) {
      void send(first);
      next();
    }
  };
  return {
    list,
    add(files) {
      const added: Upload[] = [...files].map((file) => {
        const reason = refusal(file);
        return { id: ++last, file, sent: 0, state: reason ? 'failed' : 'waiting', ...(reason ? { reason } : {}) };
      });
      change((old) => [...old, ...added].slice(0, maxFiles));
      next();
    },
    retry(id) {
      patch(id, { state: 'waiting', sent: 0 });
      next();
    },
    drop(id) {
      running.current.get(id)?.abort();
      change((old) => old.filter((one) => one.id !== id));
    },
  };
}

function refusal({ size }: File): string | undefined {
  if (size > maxBytes) return `has ${(size / 1024 / 1024).toFixed(1)} MiB; the maximum is 10`;
  return undefined;
}

/** A drop area for files, with a button that does the same, and the state of each file. */
export function DropArea({
  uploads,
  label,
  children,
}: {
  uploads: Uploads;
  label: string;
  children?: ComponentChildren;
}) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping has a button beside it
    <div
      class={`drop${isOver ? ' over' : ''}`}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        setOver(false);
        uploads.add(event.dataTransfer.files);
      }}
    >
      {children}
      <div class="drop-here">
        <Icon name="media" />
        <p id={id}>{label}</p>
        <Button icon="plus" onClick={() => input.current?.click()}>
          Choose files
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          accept={[...imageTypes, '.jfif', '.heic'].join()}
          aria-labelledby={id}
          onChange={({ currentTarget }) => {
            uploads.add(currentTarget.files ?? []);
            currentTarget.value = '';
          }}
        />
        <p class="hint">JPEG, PNG, WebP, GIF or AVIF, up to 10 MiB each</p>
      </div>
      <UploadList uploads={uploads} />
    </div>
  );
}

function UploadList({ uploads: { list, retry, drop } }: { uploads: Uploads }) {
  const failed = list.filter(({ state }) => state === 'failed').length;
  return (
    <>
      <p class="unseen" role="status">
        {list.length > failed ? `${list.length - failed} files are being uploaded. ` : ''}
        {failed > 0 ? `${failed} files were rejected.` : ''}
      </p>
      {list.length > 0 && (
        <ul class="uploads">
          {list.map(({ id, file, state, sent, reason }) => (
            <li key={id} class={state === 'failed' ? 'bad' : ''}>
              <span class="upload-name">
                <UserText>{file.name}</UserText>
              </span>
              {state === 'failed' ? (
                <span class="reason" dir="auto">
                  {reason}
                </span>
              ) : (
                <>
                  <progress value={state === 'waiting' ? 0 : sent} max={1} aria-label={`Progress of ${file.name}`} />
                  <span class="quiet">
                    {state === 'waiting' ? 'Waits' : sent < 1 ? `${Math.round(sent * 100)} %` : 'Being checked'}
                  </span>
                </>
              )}
              {state === 'failed' && (
                <Button icon="refresh" onClick={() => retry(id)}>
                  Try again
                </Button>
              )}
              <Button kind="quiet" icon="close" label={`Remove ${file.name} from the list`} onClick={() => drop(id)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
