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

  /**
   * Continues after the problems of processed rows; an interrupted run's later problems are reported again.
   * @param lastLine last processed line of the imported file
   * @param warnings of processed rows: they can name later lines
   */
  async resume(lastLine: number, warnings: number): Promise<void> {
    let kept = 0;
    let warned = 0;
    try {
      for await (const text of createInterface({
        input: createReadStream(this.#file),
        crlfDelay: Number.POSITIVE_INFINITY,
      })) {
        if (text.endsWith(',warning') ? ++warned > warnings : Number(text.split(',', 1)[0]) > lastLine) break;
        kept += Buffer.byteLength(text) + 1;
      }
      await truncate(this.#file, kept);
    } catch (error) {
      // A different file, or it was removed: the report begins here.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    this.#handle = await open(this.#file, 'a', 0o600);
    if (kept === 0) await this.#handle.appendFile(problemsHeader);
  }

  async write(problems: readonly Problem[], kind: 'refused' | 'warning'): Promise<void> {
    try {
      const handle = await this.#begin();
      await handle.appendFile(problems.map((problem) => problemLine(problem, kind)).join(''));
    } catch (error) {
      throw this.#refusal(error);
    }
  }

  /** @throws CommerceError `unavailable` if the file cannot be written */
  async check(): Promise<void> {
    try {
      await (await open(this.#file, 'a', 0o600)).close();
    } catch (error) {
      throw this.#refusal(error);
    }
  }

  #refusal(error: unknown): CommerceError {
    return new CommerceError('unavailable', `cannot write the report ${this.#file}`, { cause: error });
  }

  /** Begins a new report, which replaces the report of another import. */
  async start(): Promise<void> {
    try {
      await this.#begin();
    } catch (error) {
      throw this.#refusal(error);
    }
  }

  async #begin(): Promise<FileHandle> {
    if (this.#handle) return this.#handle;
    this.#handle = await open(this.#file, 'w', 0o600);
    await this.#handle.appendFile(problemsHeader);
    return this.#handle;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}
