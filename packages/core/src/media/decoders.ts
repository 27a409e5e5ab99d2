import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { CommerceError } from '../kernel/errors.ts';
import { FairQueue } from '../kernel/fair-queue.ts';
import { ownFile } from '../kernel/files/own-file.ts';
import type { VariantFormat } from './variants.ts';

interface Bounds {
  maxPixels: number;
  /** Memory of the decoding process. */
  maxBytes: number;
}

interface Inspection {
  kind: 'inspect';
  path: string;
}

interface Conversion {
  kind: 'convert';
  path: string;
  /** Path of the new file. */
  target: string;
  width: number | undefined;
  maxSide: number;
  format: VariantFormat;
}

/** A request to a decoder. */
export type Job = (Inspection | Conversion) & Bounds;

/** A decoder's answer. */
export type Report =
  | { kind: 'inspected'; format: string; width: number; height: number }
  | { kind: 'converted' }
  | { kind: 'failed'; message: string }
  | { kind: 'outOfMemory' };

export interface DecoderLimits {
  /** Maximum time for one picture. */
  milliseconds: number;
  /** Memory of a process. */
  bytes: number;
  /** Pictures decoded at once, each in a separate process. */
  processes: number;
  /** Milliseconds after which an idle process is ended. */
  idle: number;
}

/** A picture was not decoded within the limits, or its process crashed. The message continues the picture's name. */
export class DecoderEnded extends Error {
  override readonly name = 'DecoderEnded';
}

/** The cause of an error `unavailable`: a decoder was ended from outside. It is what the decoder said before. */
export class DecoderKilled extends Error {
  override readonly name = 'DecoderKilled';
}

const decoder = () => ownFile({ name: 'decoder.js', beside: import.meta.url, of: '@commerce/core' });

/** Signals by which a program ends that did something wrong itself. Others come from outside. */
const crashes: ReadonlySet<string> = new Set(['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP']);

/** Errors of starting a program on a system that lacks something for the moment. */
const shortages: ReadonlySet<string> = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** Characters of a decoder's standard error that are kept to say why it ended. */
const keptWords = 4096;

/** The error of a decoder that ended before it answered. */
function endingOf(code: number | null, signal: string | null, said: string): Error {
  if (signal !== null && crashes.has(signal)) return new DecoderEnded(`makes the decoder crash (${signal})`);
  // Windows has codes of several bytes instead of signals.
  if (code !== null && code > 255) return new DecoderEnded(`makes the decoder crash (code ${code})`);
  const words = said || 'it said nothing';
  if (signal !== null) {
    const message = `the decoder of images was ended from outside (${signal}), for example by a system that lacks memory; try again`;
    return new CommerceError('unavailable', message, { cause: new DecoderKilled(words) });
  }
  const cause = new Error(words);
  return new CommerceError('internal', `images cannot be decoded here: the decoder ended with code ${code}`, { cause });
}

/** The error of a decoder that could not be started. */
function startingError(cause: Error): Error {
  const { code } = cause as NodeJS.ErrnoException;
  const kind = shortages.has(code ?? '') ? 'unavailable' : 'internal';
  return new CommerceError(
    kind,
    `images cannot be decoded here: the decoder did not start (${code ?? cause.message})`,
    {
      cause,
    },
  );
}

/** Environment variables that a program needs to run at all, and no others: a hostile picture must not find a secret. */
const passedOn = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

/**
 * Decodes pictures in separate processes, started on demand and ended when idle, or if a picture takes too much time or memory. A decoder
 * cannot be interrupted within a process. In this process, it would also block the threads that read files for every request.
 */
export class Decoders {
  readonly #limits: DecoderLimits;
  readonly #turns: FairQueue;
  readonly #idle: { child: ChildProcess; timer: NodeJS.Timeout }[] = [];
  readonly #alive = new Set<ChildProcess>();
  /** What each running process has written to its standard error. */
  readonly #said = new WeakMap<ChildProcess, string>();
  readonly #program: () => string;

  /** @param program returns the path of the program */
  constructor(limits: DecoderLimits, program = decoder) {
    this.#limits = limits;
    this.#program = program;
    this.#turns = new FairQueue({ atOnce: limits.processes });
  }

  /** Every running process, busy or idle. */
  get alive(): ReadonlySet<ChildProcess> {
    return this.#alive;
  }

  /**
   * Runs a job when a process is free.
   * @throws DecoderEnded if the limits are exceeded or the picture makes the decoder crash; CommerceError `internal` if there is no decoder
   * or it does not run, `unavailable` if it was ended from outside
   */
  run(job: (Inspection | Conversion) & Pick<Bounds, 'maxPixels'>): Promise<Report> {
    return this.#turns.run('decoders', async () => {
      const child = this.#take();
      try {
        const report = await this.#ask(child, { ...job, maxBytes: this.#limits.bytes });
        this.#giveBack(child);
        return report;
      } catch (error) {
        child.kill('SIGKILL');
        throw error;
      }
    });
  }

  #ask(child: ChildProcess, job: Job): Promise<Report> {
    const { milliseconds } = this.#limits;
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        child.off('message', onMessage);
        child.off('close', onClose);
        child.off('error', onError);
      };
      const fail = (error: Error) => {
        settle();
        reject(error);
      };
      const timer = setTimeout(
        () => fail(new DecoderEnded(`takes more than ${milliseconds / 1000} s to decode`)),
        milliseconds,
      );
      const onMessage = (message: unknown) => {
        const report = message as Report;
        if (report.kind === 'outOfMemory') return fail(new DecoderEnded('takes too much memory to decode'));
        settle();
        resolve(report);
      };
      // Comes after the end of its standard error, unlike `exit`.
      const onClose = (code: number | null, signal: string | null) =>
        fail(endingOf(code, signal, this.#said.get(child)?.trim() ?? ''));
      const onError = (error: Error) => fail(startingError(error));
      child.on('message', onMessage);
      child.on('close', onClose);
      child.on('error', onError);
      // It has no channel if the system lacked files or processes for it; then its error follows.
      child.send?.(job, (error) => {
        // A process that is ending says why when it closes. One that has ended before says nothing any more.
        if (error && (child.exitCode !== null || child.signalCode !== null)) onClose(child.exitCode, child.signalCode);
      });
    });
  }

  #take(): ChildProcess {
    for (let one = this.#idle.pop(); one; one = this.#idle.pop()) {
      clearTimeout(one.timer);
      if (!one.child.connected) continue;
      one.child.ref();
      one.child.channel?.ref();
      return one.child;
    }
    const env = Object.fromEntries(
      passedOn.flatMap((name) => (name in process.env ? [[name, process.env[name]]] : [])),
    );
    const child = fork(this.#program(), [], { execArgv: [], env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.#alive.add(child);
    child.stderr?.on('data', (chunk) => {
      this.#said.set(child, `${this.#said.get(child) ?? ''}${chunk}`.slice(-keptWords));
    });
    // The channel keeps this program alive while a picture is decoded.
    (child.stderr as Socket | null)?.unref();
    child.on('exit', () => this.#alive.delete(child));
    // Losing an idle process does no harm.
    child.on('error', () => this.#alive.delete(child));
    return child;
  }

  #giveBack(child: ChildProcess): void {
    const timer = setTimeout(() => {
      this.#idle.splice(
        this.#idle.findIndex((one) => one.child === child),
        1,
      );
      child.kill('SIGKILL');
    }, this.#limits.idle);
    // Unreferenced, so this program can end; an idle process ends with its parent.
    timer.unref();
    child.unref();
    child.channel?.unref();
    this.#idle.push({ child, timer });
  }
}
