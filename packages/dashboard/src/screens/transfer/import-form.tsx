import { useRef, useState } from 'preact/hooks';
import { ApiError, isAbort } from '../../api/errors.ts';
import { postFile } from '../../api/upload.ts';
import { navigate } from '../../browser/router.ts';
import { Icon } from '../../icons/icon.tsx';
import { AreaField, Button, CheckField, FormView, Section, SelectField, UserText, useForm } from '../../kit/index.ts';
import { type ImportValues, matches, queryOf, typeOf } from './import-query.ts';
import { type Import, words, writable } from './resources.ts';

/** Default limit of the service, in bytes. */
const maxBytes = 1024 ** 3;

/** A file with its options; after it is sent, the page of the import opens. */
export function ImportForm() {
  const [file, setFile] = useState<File>();
  const [missing, setMissing] = useState('');
  const [isOver, setOver] = useState(false);
  const [sent, setSent] = useState<number>();
  const control = useRef<AbortController | undefined>(undefined);
  const resources = writable();
  const take = (files: FileList | null | undefined) => {
    const [first] = files ?? [];
    if (!first) return;
    setMissing(first.size > maxBytes ? 'The file is larger than 1 GiB: use the command line, or split the file.' : '');
    setFile(first);
  };
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
    saved: 'File uploaded; its rows are being read.',
    async save(_, __, all) {
      if (!file) throw refused('choose a file first');
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
        throw isAbort(thrown) ? refused('the upload was cancelled') : thrown;
      } finally {
        setSent(undefined);
      }
    },
  });
  const { resource } = form.values.value;
  const isProducts = resource === 'products';
  return (
    <FormView form={form} saveLabel={form.values.value.dryRun ? 'Check the file' : 'Import'}>
      <div class="columns">
        <Section title="File">
          <SelectField
            form={form}
            name="resource"
            label="Content"
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
                      {(file.size / 1024).toLocaleString(undefined, { maximumFractionDigits: 1 })} KiB
                    </span>
                  </>
                ) : (
                  'Drop a file here'
                )}
              </p>
              <label class="file-choice">
                <span class="unseen">File to import</span>
                <input
                  type="file"
                  accept=".csv,.tsv,.txt,.jsonl,.ndjson,text/csv,application/x-ndjson"
                  aria-describedby="import-file-hint"
                  aria-invalid={missing ? 'true' : undefined}
                  onChange={({ currentTarget }) => take(currentTarget.files)}
                />
              </label>
            </div>
          </div>
          <p class={missing ? 'reason' : 'hint'} id="import-file-hint" role={missing ? 'alert' : undefined}>
            {missing || 'CSV or JSON Lines, including Shopify, WooCommerce and Etsy exports; up to 1 GiB'}
          </p>
          {sent !== undefined && (
            <div class="sending">
              <progress value={sent} max={1} aria-label="Progress of the upload" />
              <span class="quiet">{Math.round(sent * 100)} % sent</span>
              <Button kind="quiet" onClick={() => control.current?.abort()}>
                Give up
              </Button>
            </div>
          )}
        </Section>
        <div class="aside">
          <Section title="How">
            <SelectField
              form={form}
              name="onError"
              label="Rejected rows"
              options={[
                ['skip', 'Skip them and continue'],
                ['stop', 'Stop at the first one'],
              ]}
              hint="Earlier rows are kept"
            />
            <SelectField
              form={form}
              name="match"
              label="Match rows by"
              options={matches[resource].map((name, i) => [i === 0 ? '' : name, wordOf(name)] as const)}
            />
            <CheckField form={form} name="dryRun" label="Only check, do not import" />
            <CheckField form={form} name="events" label="Notify webhooks" />
            {isProducts && (
              <>
                <CheckField form={form} name="images" label="Download pictures from their addresses" />
                <CheckField
                  form={form}
                  name="overwriteStock"
                  label="Overwrite stock changed by orders"
                  hint="Otherwise, such rows are rejected"
                />
                <SelectField
                  form={form}
                  name="descriptions"
                  label="Descriptions in HTML"
                  options={[
                    ['', 'Default for the file'],
                    ['text', 'Convert to text, with paragraphs and lists'],
                    ['html', 'Keep HTML unchanged'],
                  ]}
                  hint="By default, files of other shops are converted to text"
                />
                <SelectField
                  form={form}
                  name="repeatedSku"
                  label="Rows with the SKU of an earlier row"
                  options={[
                    ['', 'Default for the file'],
                    ['clear', 'Import them without a SKU'],
                    ['refuse', 'Refuse them'],
                  ]}
                  hint="By default, files of other shops lose the SKU, and other rows are rejected"
                />
              </>
            )}
          </Section>
        </div>
        <details class="more card">
          <summary>Format, encoding and column names</summary>
          <div class="field-row">
            <SelectField
              form={form}
              name="format"
              label="Format"
              options={[
                ['', 'Found out'],
                ['csv', 'CSV'],
                ['jsonl', 'JSON Lines'],
              ]}
            />
            <SelectField
              form={form}
              name="encoding"
              label="Encoding"
              options={[
                ['', 'UTF-8, or by byte order mark'],
                ['windows-1252', 'Windows 1252'],
                ['iso-8859-1', 'ISO 8859-1'],
                ['utf-16le', 'UTF-16, little endian'],
                ['utf-16be', 'UTF-16, big endian'],
              ]}
            />
          </div>
          <AreaField
            form={form}
            name="map"
            label="Columns with other names"
            rows={3}
            hint="One per line, column of the file first: Nome = title"
          />
        </details>
      </div>
    </FormView>
  );
}

const wordOf = (name: string) => ({ slug: 'Slug', sku: 'SKU', id: 'Id', email: 'E-mail' })[name] ?? name;

/** A refusal by these pages, in the form of an error of the service. */
function refused(message: string): ApiError {
  return new ApiError({ status: 400, code: 'VALIDATION_ERROR', message });
}
