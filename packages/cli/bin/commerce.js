#!/usr/bin/env node
// Old syntax and no static imports, so that an old Node.js prints this line instead of a syntax error.
var wanted = [22, 19];
var running = process.versions.node.split('.').map(Number);
if (running[0] < wanted[0] || (running[0] === wanted[0] && running[1] < wanted[1])) {
  console.error(`error: Commerce needs Node.js ${wanted.join('.')} or newer; this is ${process.versions.node}`);
  process.exit(1);
}
import('../dist/main.js').catch((error) => {
  var isMissing = error.code === 'ERR_MODULE_NOT_FOUND' && /dist.main\.js'/.test(error.message);
  console.error(isMissing ? 'error: Commerce is not built; run `npm run build` in its folder first' : error);
  process.exit(1);
});
