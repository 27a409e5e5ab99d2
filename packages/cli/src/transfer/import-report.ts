import { createReadStream } from 'node:fs';
import { type FileHandle, open, truncate } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { CommerceError, type Problem, problemLine, problemsHeader } from '@commerce/core';

/** The file of `--report`: a line for each problem, on disk before the rows that it belongs to are committed. */
export class ImportReport {
  readonly #file: string;
  #handle: FileHandle | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Goes on behind the problems up to that line of the imported file; what an interrupted run has told beyond it comes again. */
  async resume(lastLine: number): Promise<void> {
    let kept = 0;
    try {
      for await (const text of createInterface({
        input: createReadStream(this.#file),
        crlfDelay: Number.POSITIVE_INFINITY,
      })) {
        const line = Number(text.split(',', 1)[0]);
        if (line > lastLine) break;
        kept += Buffer.byteLength(text) + 1;
      }
      await truncate(this.#file, kept);
    } catch (error) {
      // Another file than the last time, or it was removed: it begins here.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    this.#handle = await open(this.#file, 'a');
    if (kept === 0) await this.#handle.appendFile(problemsHeader);
  }

  async write(problems: readonly Problem[], kind: 'refused' | 'warning'): Promise<void> {
    try {
      const handle = await this.begin();
      await handle.appendFile(problems.map((problem) => problemLine(problem, kind)).join(''));
    } catch (error) {
      throw this.#refusal(error);
    }
  }

  /** @throws CommerceError `unavailable` where the file cannot be written */
  async check(): Promise<void> {
    try {
      await (await open(this.#file, 'a')).close();
    } catch (error) {
      throw this.#refusal(error);
    }
  }

  #refusal(error: unknown): CommerceError {
    return new CommerceError('unavailable', `cannot write the report ${this.#file}`, { cause: error });
  }

  async begin(): Promise<FileHandle> {
    if (this.#handle) return this.#handle;
    this.#handle = await open(this.#file, 'w');
    await this.#handle.appendFile(problemsHeader);
    return this.#handle;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}
