export interface FormPart {
  content: Buffer | string;
  /** The form field; `files` when left out. */
  name?: string;
  /** Null makes it a field without a file. */
  fileName?: string | null;
  /** Null leaves the type out. */
  type?: string | null;
}

export const boundary = '----a-boundary-of-a-test';
export const formType = `multipart/form-data; boundary=${boundary}`;

/** A form as a client writes it, byte for byte as given: nothing in names is escaped. */
export function form(...parts: FormPart[]): Buffer {
  return Buffer.concat([...parts.flatMap(partHead), Buffer.from(`--${boundary}--\r\n`)]);
}

/** A part up to the end of its content. */
export function partHead({ content, name = 'files', fileName = 'a.png', type = 'image/png' }: FormPart): Buffer[] {
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${name}"${fileName === null ? '' : `; filename="${fileName}"`}`,
    ...(type === null ? [] : [`Content-Type: ${type}`]),
  ].join('\r\n');
  return [Buffer.from(`${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')];
}
