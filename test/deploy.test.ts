import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bin, commerce, root, run, startServer } from '@commerce/test-support/harness/processes';
import { DockerfileParser } from 'dockerfile-ast';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

// Containers, systemd and buckets are not available here. So the contents of these files are compared with the program and the repository.
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'commerce-deploy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Secrets that are not options: a command line must not contain them, because every user of a machine can see it. */
const secretNames = ['COMMERCE_SECRET_KEY', 'COMMERCE_SECRET_KEY_PREVIOUS'];

describe('What the service is told by a deployment', () => {
  let known: Set<string>;
  beforeAll(async () => {
    const { stdout: help } = await commerce(['serve', '--help', '--all']);
    known = new Set([...help.matchAll(/env: (COMMERCE_\w+)/g)].map(([, name]) => name as string));
  });

  it.each(['Dockerfile', 'compose.yaml', 'deploy/commerce.service', 'docs/deploying.md'])(
    'is known to it by its name: %s',
    (path) => {
      expect(known.size).toBeGreaterThan(20);
      const named = [...new Set(read(path).match(/\bCOMMERCE_[A-Z0-9_]+/g))];
      expect(named.length).toBeGreaterThan(2);
      // Each can also come from a file.
      const plain = named.map((name) => name.replace(/_FILE$/, ''));
      expect(plain.filter((name) => !known.has(name) && !secretNames.includes(name))).toEqual([]);
    },
  );

  it('is known to it also where it is no option', () => {
    for (const name of secretNames)
      expect(read('packages/cli/src/database.ts') + read('packages/cli/src/context.ts')).toContain(`env.${name}`);
  });

  it('is a command with options that it has, wherever the page names one', async () => {
    const lines = [...read('docs/deploying.md').matchAll(/\bcommerce (?!commerce )([a-z]+(?: [a-z]+)?)([^`#\n]*)/g)];
    expect(lines.map(([, words]) => words)).toEqual(
      expect.arrayContaining(['doctor', 'backup', 'orders list', 'init']),
    );
    for (const [line, words = '', rest = ''] of lines) {
      const { code, stdout } = await commerce([...words.split(' '), '--help', '--all']);
      expect(code, line).toBe(0);
      for (const option of rest.match(/(?<= )--[a-z-]+/g) ?? []) expect(stdout, line).toContain(` ${option} `);
    }
  });
});

describe('Dockerfile', () => {
  const file = DockerfileParser.parse(read('Dockerfile'));
  const instructions = file.getInstructions();
  const after = instructions.findLastIndex((one) => one.getKeyword() === 'FROM');
  const last = instructions.slice(after);
  const argumentsOf = (keyword: string) =>
    last.filter((one) => one.getKeyword() === keyword).map((one) => one.getArgumentsContent() ?? '');

  it('has instructions that there are, each with arguments', () => {
    const keywords = 'ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK RUN USER VOLUME WORKDIR'.split(' ');
    expect([...new Set(instructions.map((one) => one.getKeyword()))].sort()).toEqual(keywords);
    for (const one of instructions) expect(one.getArguments().length, one.toString()).toBeGreaterThan(0);
  });

  it('has the same Node.js in every stage, one that the program runs on', () => {
    const images = file.getFROMs().map((from) => from.getImage());
    expect(images).toEqual(Array(3).fill(images[0]));
    expect(images[0]).toBe('$' + '{NODE}');
    // By digest, because a tag can be moved.
    expect(read('Dockerfile')).toMatch(/^ARG NODE=node:24-bookworm-slim@sha256:[0-9a-f]{64}$/m);
  });

  it('copies what is in the repository and in the context of the build', () => {
    const ignored = isIgnored(read('.dockerignore'));
    const tracked = spawnSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).stdout.trim().split('\n');
    const sources = file
      .getCOPYs()
      .filter((copy) => copy.getFlags().length === 0)
      .flatMap((copy) =>
        copy
          .getArguments()
          .slice(0, -1)
          .map((argument) => argument.getValue()),
      );
    expect(sources.length).toBeGreaterThan(10);
    for (const source of sources) {
      const files = tracked.filter((path) => path === source || path.startsWith(`${source}/`));
      expect(
        files.filter((path) => !ignored(path)),
        source,
      ).not.toEqual([]);
    }
    // A missing workspace makes `npm ci` refuse the lock file.
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
    expect(sources).toEqual(expect.arrayContaining(workspaces.map((path) => `${path}/package.json`)));
  });

  it('leaves data, secrets and what is installed here out of the context', () => {
    const ignored = isIgnored(read('.dockerignore'));
    const out = '.git/config .env commerce.db packages/cli/shop.db-wal packages/cli/.env.local media/a.jpg'.split(' ');
    const built = ['node_modules/a/b.js', 'packages/cli/node_modules/a/b.js', 'packages/cli/dist/main.js'];
    for (const path of [...out, ...built]) expect(ignored(path), path).toBe(true);
    for (const path of ['package.json', 'packages/cli/src/main.ts']) expect(ignored(path), path).toBe(false);
  });

  it('serves as a user without rights, on every address, with all that is kept in its one volume', () => {
    expect(argumentsOf('USER')).toEqual(['node']);
    expect(argumentsOf('VOLUME')).toEqual(['/data']);
    const env = argumentsOf('ENV').join(' ');
    expect(env).toMatch(/COMMERCE_HOST=0\.0\.0\.0/);
    expect(env).toMatch(/COMMERCE_DB=\/data\//);
    expect(env).toMatch(/COMMERCE_MEDIA_DIR=\/data\//);
    expect(argumentsOf('EXPOSE')).toEqual([/COMMERCE_PORT=(\d+)/.exec(env)?.[1]]);
  });

  it('starts the program that it has copied, which is asked whether it is healthy', async () => {
    const [entry] = argumentsOf('ENTRYPOINT');
    const [, program] = JSON.parse(entry ?? '') as string[];
    expect(join(root, program?.replace('/app/', '') ?? '')).toBe(bin);
    expect(JSON.parse(argumentsOf('CMD').at(-1) ?? '')).toEqual(['serve']);
    const [health] = argumentsOf('HEALTHCHECK');
    const [command, ...args] = JSON.parse(health?.slice(health.indexOf('CMD') + 3) ?? '') as string[];
    expect(command).toBe('node');
    // Runs the same words here: with a running service, and without one.
    const server = await startServer(join(folder, 'shop.db'));
    const { port } = new URL(server.url);
    expect((await run(process.execPath, args, '', { COMMERCE_PORT: port })).code).toBe(0);
    await server.stop();
    expect((await run(process.execPath, args, '', { COMMERCE_PORT: port })).code).toBe(1);
  });
});

describe('compose.yaml', () => {
  interface Service {
    environment: Record<string, string>;
    depends_on?: Record<string, { condition: string }>;
    healthcheck?: { test: string[] };
    ports?: string[];
    volumes: string[];
  }
  const { services, volumes } = parse(read('compose.yaml')) as {
    services: { commerce: Service; postgres: Service };
    volumes: Record<string, null>;
  };

  it('starts the service when PostgreSQL is ready, with the name and the password that it has', () => {
    const { commerce: shop, postgres } = services;
    expect(shop.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    const { POSTGRES_USER: user, POSTGRES_DB: name, POSTGRES_PASSWORD: password } = postgres.environment;
    expect(shop.environment.COMMERCE_DB).toBe(`postgres://${user}:${password}@postgres:5432/${name}`);
    expect(postgres.healthcheck?.test.join(' ')).toBe(`CMD-SHELL pg_isready --username ${user} --dbname ${name}`);
  });

  it('holds no secret, and does not start without one', () => {
    for (const name of ['POSTGRES_PASSWORD', 'COMMERCE_SECRET_KEY']) {
      const values = read('compose.yaml').match(new RegExp(`\\$\\{${name}.`, 'g')) ?? [];
      expect(new Set(values)).toEqual(new Set([`$\{${name}:`]));
    }
    expect(services.postgres.environment.POSTGRES_PASSWORD).toMatch(/:\?/);
    expect(services.commerce.environment.COMMERCE_SECRET_KEY).toMatch(/:\?/);
  });

  it('keeps data in volumes that it names, and is reached from its own machine alone', () => {
    const used = Object.values(services).flatMap((one) => one.volumes.map((volume) => volume.split(':')[0]));
    expect(used.sort()).toEqual(Object.keys(volumes).sort());
    expect(services.commerce.volumes.map((volume) => volume.split(':')[1])).toEqual(['/data']);
    expect(services.commerce.ports).toEqual(['127.0.0.1:3000:3000']);
    expect(services.postgres.ports).toBeUndefined();
  });
});

describe('deploy/commerce.service', () => {
  const unit = read('deploy/commerce.service');
  const values = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value);

  it('keeps what it writes in the folder that systemd makes for it', () => {
    expect(values('StateDirectory')).toEqual(['commerce']);
    expect(values('DynamicUser')).toEqual(['yes']);
    expect(values('ProtectSystem')).toEqual(['strict']);
    const kept = values('Environment').filter((one) => one?.includes('/'));
    expect(kept).toHaveLength(2);
    for (const one of kept) expect(one).toMatch(/=\/var\/lib\/commerce\//);
    // V8 could not start.
    expect(values('MemoryDenyWriteExecute')).toEqual([]);
    expect(values('ExecStart')).toEqual(['/opt/commerce/bin/commerce serve']);
  });

  const analyze = '/usr/bin/systemd-analyze';
  it.skipIf(!existsSync(analyze))('is taken by systemd-analyze (skipped where there is no systemd)', async () => {
    const file = join(folder, 'commerce.service');
    // The program is also searched for.
    writeFileSync(file, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath} ${bin}`));
    expect(await run(analyze, ['verify', '--man=no', file])).toEqual({ code: 0, stdout: '', stderr: '' });
    const wrong = join(folder, 'wrong.service');
    writeFileSync(
      wrong,
      unit.replace('RestartSec=2', 'RestartSec=2 apples').replace('ProtectHome=yes', 'ProtectHouse=yes'),
    );
    const { stderr } = await run(analyze, ['verify', '--man=no', wrong]);
    expect(stderr).toMatch(/ProtectHouse/);
  });
});

/** A .dockerignore: patterns in order; the last one that matches a path or a folder above it decides. */
function isIgnored(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const pattern = line
        .replace(/^!/, '')
        .replace(/[.+^$()|[\]\\]/g, '\\$&')
        .replace(/\*\*\/|\*/g, (stars) => (stars === '*' ? '[^/]*' : '(?:.*/)?'));
      return { isOut: !line.startsWith('!'), pattern: new RegExp(`^${pattern}(?:/|$)`) };
    });
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.isOut ?? false;
}
