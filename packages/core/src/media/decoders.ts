import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Semaphore } from '../semaphore.ts';
import type { VariantFormat } from './variants.ts';

interface Bounds {
  maxPixels: number;
  /** Of the memory of the process that decodes. */
  maxBytes: number;
}

interface Inspection {
  kind: 'inspect';
  path: string;
}

interface Making {
  kind: 'make';
  path: string;
  /** Where the variant goes; there is nothing yet. */
  target: string;
  width: number | undefined;
  maxSide: number;
  format: VariantFormat;
}

/** What a decoder is asked to do. */
export type Job = (Inspection | Making) & Bounds;

/** What it answers. */
export type Report =
  | { kind: 'found'; format: string; width: number; height: number }
  | { kind: 'made' }
  | { kind: 'failed'; message: string };

export interface DecoderLimits {
  /** For one picture. */
  milliseconds: number;
  /** Of the process's memory. */
  bytes: number;
  /** How many pictures are decoded at once. */
  processes: number;
  /** How long a process that has nothing to do is kept, in milliseconds. */
  idle: number;
}

/** A picture was not decoded within the limits; its process is gone. */
export class DecoderEnded extends Error {
  override readonly name = 'DecoderEnded';
}

const program = fileURLToPath(new URL('./decoder.js', import.meta.url));

/** What a program needs of its surroundings to run at all. No secret is among it: what comes in a picture shall find none. */
const passedOn = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

/**
 * Decodes pictures in processes of their own, which are started when they are needed and ended when a picture takes too
 * long or too much memory, or when there is nothing to do. A decoder cannot be interrupted within a process, and the threads
 * that it would take in this one also read files for everybody.
 */
export class Decoders {
  readonly #limits: DecoderLimits;
  readonly #turns: Semaphore;
  readonly #idle: { child: ChildProcess; timer: NodeJS.Timeout }[] = [];
  readonly #alive = new Set<ChildProcess>();

  constructor(limits: DecoderLimits) {
    this.#limits = limits;
    this.#turns = new Semaphore(limits.processes);
  }

  /** Every running process, busy or idle. */
  get alive(): ReadonlySet<ChildProcess> {
    return this.#alive;
  }

  /**
   * Waits for its turn.
   * @throws DecoderEnded
   */
  run(job: (Inspection | Making) & Pick<Bounds, 'maxPixels'>): Promise<Report> {
    return this.#turns.run(async () => {
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
    // One that is lost while it has nothing to do is not missed.
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
    // A program that is done need not wait for it: it ends with its parent.
    timer.unref();
    child.unref();
    child.channel?.unref();
    this.#idle.push({ child, timer });
  }
}
