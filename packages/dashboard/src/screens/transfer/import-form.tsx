import { useRef, useState } from 'preact/hooks';
import { isAbort, refusal } from '../../api/errors.ts';
import { postFile } from '../../api/upload.ts';
import { navigate } from '../../browser/router.ts';
import { Icon } from '../../icons/icon.tsx';
import { AreaField, Button, CheckField, FormView, Section, SelectField, UserText, useForm } from '../../kit/index.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { type ImportValues, matches, queryOf, typeOf } from './import-query.ts';
import { type Import, words, writable } from './resources.ts';

const text = t.transfer.form;

/** Default limit of the service, in bytes. */
const maxBytes = 1024 ** 3;

/** A file with its options; after it is sent, the page of the import opens. */
export function ImportForm() {
  const [file, setFile] = useState<File>();
  const [tooLarge, setTooLarge] = useState(false);
  const [isOver, setOver] = useState(false);
  const [sent, setSent] = useState<number>();
  const control = useRef<AbortController | undefined>(undefined);
  const resources = writable();
  const form = useForm<ImportValues>({
    key: 'imports/new',
    read: {
      values: {
        resource: resources[0] ?? 'products',
        onError: 'skip',
        match: '',
        format: '',
        encoding: '',
        dryRun: false,
        events: true,
        images: false,
        overwriteStock: false,
        repeatedSku: '',
        descriptions: '',
        map: '',
      },
    },
    saved: text.uploaded,
    places: () => ['file'],
    async save(_, __, all) {
      if (!file) throw refusal('file', text.missing);
      control.current = new AbortController();
      try {
        const { item } = await postFile<{ item: Import }>('/imports', {
          query: queryOf(all),
          body: file,
          type: typeOf(file, all.format),
          onProgress: setSent,
          signal: control.current.signal,
        });
        setTimeout(() => void navigate(`imports/${item.id}?resource=${all.resource}`));
        return { values: all };
      } catch (thrown) {
        throw isAbort(thrown) ? refusal('file', text.aborted) : thrown;
      } finally {
        setSent(undefined);
      }
    },
  });
  const take = (files: FileList | null | undefined) => {
    const [first] = files ?? [];
    if (!first) return;
    setTooLarge(first.size > maxBytes);
    setFile(first);
    const { file: _, ...errors } = form.errors.value;
    form.errors.value = errors;
  };
  const { resource } = form.values.value;
  const isProducts = resource === 'products';
  const problem = tooLarge ? text.tooLarge : form.errors.value.file;
  return (
    <FormView form={form} saveLabel={form.values.value.dryRun ? text.check : text.import}>
      <div class="columns">
        <Section title={text.file}>
          <SelectField
            form={form}
            name="resource"
            label={text.content}
            options={resources.map((one) => [one, words[one]] as const)}
          />
          {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping has a button beside it */}
          <div
            class={`drop${isOver ? ' over' : ''}`}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(true);
            }}
            onDragLeave={() => setOver(false)}
            onDrop={(event) => {
              event.preventDefault();
              setOver(false);
              take(event.dataTransfer?.files);
            }}
          >
            <div class="drop-here">
              <Icon name="import" />
              <p>
                {file ? (
                  <>
                    <UserText>{file.name}</UserText>{' '}
                    <span class="quiet">
                      {formatNumber(file.size / 1024, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 })}
                    </span>
                  </>
                ) : (
                  text.drop
                )}
              </p>
              <label class="file-choice">
                <span class="unseen">{text.choose}</span>
                <input
                  type="file"
                  accept=".csv,.tsv,.txt,.jsonl,.ndjson,text/csv,application/x-ndjson"
                  aria-describedby="import-file-hint"
                  aria-invalid={problem ? 'true' : undefined}
                  onChange={({ currentTarget }) => take(currentTarget.files)}
                />
              </label>
            </div>
          </div>
          <p class={problem ? 'reason' : 'hint'} id="import-file-hint" role={problem ? 'alert' : undefined}>
            {problem ?? text.hint}
          </p>
          {sent !== undefined && (
            <div class="sending">
              <progress value={sent} max={1} aria-label={text.uploading} />
              <span class="quiet">{text.sent(sent)}</span>
              <Button kind="quiet" onClick={() => control.current?.abort()}>
                {text.stop}
              </Button>
            </div>
          )}
        </Section>
        <div class="aside">
          <Section title={text.options}>
            <SelectField
              form={form}
              name="onError"
              label={text.onError}
              options={[
                ['skip', text.skip],
                ['stop', text.stopAtFirst],
              ]}
              hint={text.onErrorHint}
            />
            <SelectField
              form={form}
              name="match"
              label={text.match}
              options={matches[resource].map((name, i) => [i === 0 ? '' : name, text.matches[name]] as const)}
            />
            <CheckField form={form} name="dryRun" label={text.dryRun} />
            <CheckField form={form} name="events" label={text.events} />
            {isProducts && (
              <>
                <CheckField form={form} name="images" label={text.images} />
                <CheckField
                  form={form}
                  name="overwriteStock"
                  label={text.overwriteStock}
                  hint={text.overwriteStockHint}
                />
                <SelectField
                  form={form}
                  name="descriptions"
                  label={text.descriptions}
                  options={[
                    ['', text.defaultOfFile],
                    ['text', text.toText],
                    ['html', text.keepHtml],
                  ]}
                  hint={text.descriptionsHint}
                />
                <SelectField
                  form={form}
                  name="repeatedSku"
                  label={text.repeatedSku}
                  options={[
                    ['', text.defaultOfFile],
                    ['clear', text.clearSku],
                    ['refuse', text.refuseRow],
                  ]}
                  hint={text.repeatedSkuHint}
                />
              </>
            )}
          </Section>
        </div>
        <details class="more card">
          <summary>{text.more}</summary>
          <div class="field-row">
            <SelectField
              form={form}
              name="format"
              label={text.format}
              options={[
                ['', text.detect],
                ['csv', 'CSV'],
                ['jsonl', 'JSON Lines'],
              ]}
            />
            <SelectField
              form={form}
              name="encoding"
              label={text.encoding}
              options={[
                ['', text.detect],
                ['windows-1252', 'Windows 1252'],
                ['iso-8859-1', 'ISO 8859-1'],
                ['utf-16le', text.utf16le],
                ['utf-16be', text.utf16be],
              ]}
            />
          </div>
          <AreaField form={form} name="map" label={text.map} rows={3} hint={text.mapHint} />
        </details>
      </div>
    </FormView>
  );
}
