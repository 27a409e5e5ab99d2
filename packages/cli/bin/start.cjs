// Runs the program with what V8 compiled of it at an earlier start: without, compiling is a third of what a command costs. Kept where
// Node.js keeps its own such files, in the system's temporary directory; without a place to keep it the program starts as well.
const fs = require('node:fs');
const { tmpdir } = require('node:os');
const { basename, dirname, join } = require('node:path');
const { Script } = require('node:vm');

/** Files that are kept of one command. */
const maxFiles = 4;

const opening = '(function (exports, require, module, __filename, __dirname) {';
const file = join(__dirname, '../dist/main.cjs');
// Holds nothing but ASCII.
const source = fs.readFileSync(file, 'latin1');

const kept = placeOfCompiled();
const script = new Script(`${opening}${source}\n})`, {
  filename: file,
  columnOffset: -opening.length,
  cachedData: kept && contentsOf(kept),
});
// Undefined where nothing was kept, true where it is of another V8 or of other options.
if (kept && script.cachedDataRejected !== false) {
  let data;
  // V8 forgets what has not run for a while: at the end of a service, that is all of its start.
  setTimeout(() => {
    data = script.createCachedData();
  }, 1000).unref();
  process.once('exit', (code) => {
    if (code === 0) keep(kept, data ?? script.createCachedData());
  });
}
const program = { exports: {} };
// Its packages are found from here as well as from its own folder.
script.runInThisContext()(program.exports, require, program, file, dirname(file));

/** A file for what this command needs of this build; undefined where others could write it, who could have us run their code. */
function placeOfCompiled() {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const command = process.argv.slice(2).find((argument) => !argument.startsWith('-')) ?? 'none';
  // The build ends with a sum of its own.
  const build = source.slice(-64);
  if (!/^[a-z]{1,20}$/.test(command) || !/^[0-9a-f]{64}$/.test(build)) return undefined;
  const user = process.getuid?.();
  const folder = join(tmpdir(), user === undefined ? 'commerce-compiled' : `commerce-compiled-${user}`);
  try {
    try {
      fs.mkdirSync(folder, 0o700);
    } catch (error) {
      if (error.code !== 'EEXIST') return undefined;
    }
    const { mode, uid } = fs.lstatSync(folder);
    const isOurs =
      user === undefined ||
      (uid === user && (mode & fs.constants.S_IFMT) === fs.constants.S_IFDIR && (mode & 0o22) === 0);
    return isOurs ? join(folder, `${command}${roleOf()}-${build}-${process.versions.v8}-${process.arch}`) : undefined;
  } catch {
    return undefined;
  }
}

/** Which of the processes of a service this is, of which each runs something else: one that supervises ends last, and needs least. */
function roleOf() {
  if (process.connected) return '.worker';
  const isDivided = process.argv.some((argument) => argument.startsWith('--workers')) || process.env.COMMERCE_WORKERS;
  return isDivided ? '.supervisor' : '';
}

/** The contents of a file of ours; undefined where there is none. @param {string} path */
function contentsOf(path) {
  try {
    const descriptor = fs.openSync(path);
    try {
      return fs.fstatSync(descriptor).uid === (process.getuid?.() ?? 0) ? fs.readFileSync(descriptor) : undefined;
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** Writes a file as a whole, and on the disk before it has its name: V8 trusts what it reads. @param {string} path @param {Buffer} data */
function keep(path, data) {
  const making = `${path}.${process.pid}`;
  try {
    const descriptor = fs.openSync(making, 'wx', 0o600);
    try {
      fs.writeFileSync(descriptor, data);
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(making, path);
    removeOutdated(path);
  } catch {
    fs.rmSync(making, { force: true });
  }
}

/** Leaves the newest files of a command, which are of other builds and other versions of Node.js. @param {string} path the last written */
function removeOutdated(path) {
  const folder = dirname(path);
  const [command] = basename(path).split('-');
  const files = fs
    .readdirSync(folder)
    .filter((name) => name.startsWith(`${command}-`))
    .map((name) => ({ file: join(folder, name), time: fs.statSync(join(folder, name)).mtimeMs }));
  for (const { file } of files.sort((a, b) => b.time - a.time).slice(maxFiles)) fs.rmSync(file, { force: true });
}
