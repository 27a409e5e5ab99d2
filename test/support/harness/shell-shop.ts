import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { filledIn } from './documents.ts';
import { bin, type Finished, root } from './processes.ts';
import { freePort } from './sockets.ts';
import { startSubscriber } from './subscriber.ts';
import { until } from './until.ts';

const programs = join(root, 'test/support/programs/docs');

/** Programs of the machine that blocks can use, in addition to `programs`; a block that needs another program is not run. */
const allowed = [
  'bash',
  'cat',
  'cp',
  'env',
  'head',
  'ls',
  'mkdir',
  'mv',
  'openssl',
  'rm',
  'sed',
  'seq',
  'sleep',
  'tail',
  'touch',
];

/** Folders and files of a shop that are not its data, but artefacts of the run. */
const passing = ['state', 'environment.sh', 'temp', 'programs'];

type Subscriber = Awaited<ReturnType<typeof startSubscriber>>;

interface Ports {
  service: number;
  /** Of `commerce webhooks listen`. */
  listener: number;
}

/**
 * A shop in a temporary folder, against which the blocks of a document run one after the other, as a reader would run them. Variables and
 * the folder carry over from block to block. `commerce serve` runs until the next one or the end.
 */
export class ShellShop {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'commerce-docs-'));
  readonly #ports: Ports;
  readonly #subscriber: Subscriber;
  #id = '';
  #key = '';

  private constructor(ports: Ports, subscriber: Subscriber) {
    this.#ports = ports;
    this.#subscriber = subscriber;
    for (const name of ['state', 'temp', 'programs']) mkdirSync(join(this.folder, name));
    symlinkSync(process.execPath, join(this.folder, 'programs/node'));
    for (const name of allowed) symlinkSync(pathOf(name), join(this.folder, 'programs', name));
  }

  /** Opens an empty folder, or a copy of another shop's folder with its service started. */
  static async open(from?: ShellShop): Promise<ShellShop> {
    const ports = { service: await freePort(), listener: await freePort() };
    const shop = new ShellShop(ports, await startSubscriber(() => 204));
    if (from !== undefined) {
      cpSync(from.folder, shop.folder, {
        recursive: true,
        filter: (path) => !passing.some((name) => path.startsWith(join(from.folder, name))),
      });
      shop.#id = from.storeId;
      shop.#key = from.key;
      const { code, stderr } = await shop.run(
        'export KEY=ck_live_… STORE=0193…\nexport API=http://127.0.0.1:3000/stores/$STORE\ncommerce serve',
      );
      if (code !== 0) throw new Error(`the shop of ${from.folder} does not start again: ${stderr}`);
    }
    return shop;
  }

  /** Address of the running service. */
  get url(): string {
    return `http://127.0.0.1:${this.#ports.service}`;
  }

  get storeId(): string {
    if (this.#id === '') this.#readFirstStart();
    return this.#id;
  }

  /** Types of the events that the subscriber at `https://example.com/hook` has received. */
  get received(): string[] {
    return this.#subscriber.received.map(({ headers }) => String(headers['x-webhook-event']));
  }

  /** The key that the first start printed. */
  get key(): string {
    if (this.#key === '') this.#readFirstStart();
    return this.#key;
  }

  /** Runs a block as a script that ends at the first command that fails. */
  async run(block: string): Promise<Finished> {
    const environment = join(this.folder, 'environment.sh');
    const script = [
      'set -euo pipefail',
      existsSync(environment) ? `. ${environment}` : `cd ${this.folder}`,
      `trap 'code=$?; { export -p; printf "cd %q\\n" "$PWD"; } > ${environment}; exit $code' EXIT`,
      this.filled(block).replace(/^((?:npx )?commerce serve[^&\n]*[^&\s])\s*&$/gm, '$1'),
    ].join('\n');
    const child = spawn(pathOf('bash'), ['-c', script], { cwd: this.folder, env: this.#environment() });
    const finished: Finished = { code: null, stdout: '', stderr: '' };
    child.stdin.end();
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      finished.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      finished.stderr += text;
    });
    [finished.code] = (await once(child, 'close')) as [number | null];
    return finished;
  }

  /** The text of a block with this shop's own values instead of the values in the documentation. */
  filled(text: string): string {
    return filledIn(text, [
      [/http:\/\/127\.0\.0\.1:3000/, () => this.url],
      [/http:\/\/127\.0\.0\.1:4242/, () => `http://127.0.0.1:${this.#ports.listener}`],
      [/https:\/\/example\.com\/hook/, () => this.#subscriber.url],
      [/ck_live_…/, () => this.key],
      [/0193…/, () => this.storeId],
      [/whsec_…/, () => 'whsec_of_the_documentation'],
      [/sk_test_…/, () => 'sk_test_of_the_documentation'],
      // The command line refuses the placeholder secrets of a manual.
      [/(?<=\b[A-Z_]+=)…/, () => 'text_of_the_documentation'],
      [/\/var\/backups/, () => join(this.folder, 'backups')],
    ]);
  }

  /** Ends all running programs, including the service, and keeps the folder. */
  async stop(): Promise<void> {
    for (const name of ['provider', 'listen', 'serve']) {
      const file = join(this.folder, 'state', `${name}.pid`);
      if (!existsSync(file)) continue;
      const pid = Number(readFileSync(file, 'utf8'));
      rmSync(file);
      if (isRunning(pid)) process.kill(pid);
      await until(`${name} has ended`, () => !isRunning(pid));
    }
  }

  async close(): Promise<void> {
    await this.stop();
    await this.#subscriber.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #environment(): Record<string, string> {
    return {
      PATH: `${programs}:${join(this.folder, 'programs')}`,
      HOME: this.folder,
      TMPDIR: join(this.folder, 'temp'),
      LANG: 'C.UTF-8',
      COMMERCE_LOG: 'off',
      // A subscriber on this machine replaces the one in the documentation.
      COMMERCE_ALLOW_INSECURE_WEBHOOKS: '1',
      DOCS_NODE: process.execPath,
      DOCS_COMMERCE: bin,
      DOCS_ROOT: root,
      COMMERCE_SERVER: this.url,
      DOCS_PORT: String(this.#ports.service),
      DOCS_LISTENER_PORT: String(this.#ports.listener),
      DOCS_STATE: join(this.folder, 'state'),
      DOCS_CURL: pathOf('curl'),
    };
  }

  #readFirstStart(): void {
    const said = readFileSync(join(this.folder, 'state/serve.out'), 'utf8').split('\n')[0] ?? '';
    const { store } = JSON.parse(said) as { store: { id: string } };
    this.#id = store.id;
    // A person at a terminal is shown a key; this start has no terminal.
    const made = execFileSync(
      process.execPath,
      [bin, 'keys', 'create', '--name', 'first key', '--preset', 'full', '--json'],
      { cwd: this.folder, env: this.#environment(), encoding: 'utf8' },
    );
    this.#key = (JSON.parse(made) as { item: { key: string } }).item.key;
  }
}

function pathOf(program: string): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const path = folders.map((folder) => join(folder, program)).find((file) => existsSync(file));
  if (path === undefined) throw new Error(`blocks of the documentation need ${program}, and this machine has none`);
  return path;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
