import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { FairQueue } from '../kernel/fair-queue.ts';
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
  | { kind: 'failed'; message: string };

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

/** A picture was not decoded within the limits, and its process was ended. */
export class DecoderEnded extends Error {
  override readonly name = 'DecoderEnded';
}

const program = fileURLToPath(new URL('./decoder.js', import.meta.url));

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

  constructor(limits: DecoderLimits) {
    this.#limits = limits;
    this.#turns = new FairQueue({ atOnce: limits.processes });
  }

  /** Every running process, busy or idle. */
  get alive(): ReadonlySet<ChildProcess> {
    return this.#alive;
  }

  /**
   * Runs a job when a process is free.
   * @throws DecoderEnded if the limits are exceeded
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
        child.off('exit', onExit);
        child.off('error', onError);
      };
      const fail = (why: string, cause?: unknown) => {
        settle();
        reject(new DecoderEnded(why, { cause }));
      };
      const timer = setTimeout(() => fail(`takes more than ${milliseconds / 1000} s to decode`), milliseconds);
      const onMessage = (report: unknown) => {
        settle();
        resolve(report as Report);
      };
      const onExit = () => fail('takes too much memory to decode');
      const onError = (error: unknown) => fail('cannot be decoded here', error);
      child.on('message', onMessage);
      child.on('exit', onExit);
      child.on('error', onError);
      child.send(job, (error) => error && onError(error));
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
    const child = fork(program, [], { execArgv: [], env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.#alive.add(child);
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
