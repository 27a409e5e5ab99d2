import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { isAbort, toApiError } from '../../api/errors.ts';
import { postFile } from '../../api/upload.ts';
import { Icon } from '../../icons/icon.tsx';
import { Button, UserText } from '../../kit/index.ts';
import { useUnsaved } from '../../kit/unsaved.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { typeOfImage } from './image-type.ts';
import { keepPicture, type Media } from './pictures.ts';
import { explained, maxBytes, type Refusal, refusalOf } from './refusals.ts';
import { sizeText } from './size.ts';

const words = t.media.uploads;

/** A file that is being uploaded. */
export interface Upload {
  /** Increases in the order of the files. */
  id: number;
  file: File;
  state: 'waiting' | 'sending' | 'failed';
  /** Share that was sent, from 0 to 1; at 1 the service checks it. */
  sent: number;
  refusal?: Refusal;
}

export interface Uploads {
  list: readonly Upload[];
  add(files: Iterable<File>): void;
  retry(id: number): void;
  /** Removes a file from the list, and cancels its upload. */
  drop(id: number): void;
}

/** Accepted types. */
const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'];
/** Most files in the queue. */
const maxFiles = 200;
const lanes = 2;
let last = 0;

/**
 * Sends files, two at a time, each with its own progress, error and retry.
 * @param onDone called in the order in which the uploads end; `place` increases in the order of the files
 */
export function useUploads(onDone: (media: Media, place: number) => void): Uploads {
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
      const refusal = refusalOf(file, type);
      if (refusal) return patch(id, { state: 'failed', refusal });
      const body = new FormData();
      // Browsers derive the type from the name, which can be wrong.
      body.append('files', type === file.type ? file : new File([file], file.name, { type: type ?? '' }));
      const { items } = await postFile<{ items: Media[] }>('/media', {
        body,
        onProgress: (sent) => patch(id, { sent }),
        signal: control.signal,
      });
      change((old) => old.filter((one) => one.id !== id));
      for (const media of items) {
        keepPicture(media);
        done.current(media, id);
      }
    } catch (thrown) {
      if (!isAbort(thrown)) patch(id, { state: 'failed', refusal: await explained(toApiError(thrown), file) });
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
      const added = [...files].map((file): Upload => ({ id: ++last, file, sent: 0, state: 'waiting' }));
      change((old) => [...old, ...added].slice(0, maxFiles));
      next();
    },
    retry(id) {
      change((old) => old.map((one) => (one.id === id ? { id, file: one.file, state: 'waiting', sent: 0 } : one)));
      next();
    },
    drop(id) {
      running.current.get(id)?.abort();
      change((old) => old.filter((one) => one.id !== id));
    },
  };
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
          {t.media.choose}
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
        <p class="hint">{t.media.accepted(sizeText(maxBytes))}</p>
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
        {list.length > failed ? `${words.sending(list.length - failed)} ` : ''}
        {failed > 0 ? words.failed(failed) : ''}
      </p>
      {list.length > 0 && (
        <ul class="uploads">
          {list.map(({ id, file, state, sent, refusal }) => (
            <li key={id} class={state === 'failed' ? 'bad' : ''}>
              <span class="upload-name">
                <UserText>{file.name}</UserText>
              </span>
              {state === 'failed' ? (
                <span class="reason" dir="auto">
                  {refusal?.reason}
                </span>
              ) : (
                <>
                  <progress value={state === 'waiting' ? 0 : sent} max={1} aria-label={words.progress(file.name)} />
                  <span class="quiet">
                    {state === 'waiting'
                      ? words.waiting
                      : sent < 1
                        ? formatNumber(sent, { style: 'percent' })
                        : words.processing}
                  </span>
                </>
              )}
              {refusal?.canRetry && (
                <Button icon="refresh" onClick={() => retry(id)}>
                  {words.retry}
                </Button>
              )}
              <Button kind="quiet" icon="close" label={words.remove(file.name)} onClick={() => drop(id)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
