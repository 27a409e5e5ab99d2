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
   * Goes on behind the problems of the rows that are done with; what an interrupted run has told beyond them comes again.
   * @param lastLine of the imported file that is done with
   * @param warnings of rows that are done with: they may name later lines
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
      // Another file than the last time, or it was removed: it begins here.
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

  /** Begins a new report, in the place of one of another import. */
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
