#!/usr/bin/env node
// Written so that any Node parses it: an old one shall get a line that helps, not a stack trace.
var wanted = [20, 19];
var running = process.versions.node.split('.').map(Number);
if (running[0] < wanted[0] || (running[0] === wanted[0] && running[1] < wanted[1])) {
  console.error(`error: Commerce needs Node.js 20.19 or newer; this is ${process.versions.node}`);
  process.exit(1);
}
// From Node.js 22.1 on, what was compiled of the packages once is kept in the system's temporary directory. Asking an older one takes a
// thirtieth of a start.
var enableCompileCache = running[0] >= 22 ? require('node:module').enableCompileCache : undefined;
if (enableCompileCache) enableCompileCache();
try {
  require('./start.cjs');
} catch (error) {
  console.error(
    error.code === 'ENOENT' && /dist.main\.cjs/.test(error.path)
      ? 'error: Commerce is not built; run `npm run build` in its folder first'
      : error,
  );
  process.exit(1);
}
