// npm run fuzz -- [--requests 1000000] [--seed N] [--storage sqlite|postgres]
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    seed: { type: 'string' },
    storage: { type: 'string', default: 'sqlite' },
  },
});
const env = {
  ...process.env,
  FUZZ_REQUESTS: options.requests,
  FUZZ_STORAGE: options.storage,
  ...(options.seed === undefined ? {} : { FUZZ_SEED: options.seed }),
};
const args = ['vitest', 'run', 'test/fuzz.test.ts', '--disable-console-intercept'];
spawn('npx', args, { stdio: 'inherit', env }).on('exit', (code) => process.exit(code ?? 1));
