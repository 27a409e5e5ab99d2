import { readFileSync } from 'node:fs';

/** The version in package.json, which is one folder above the source, the build, and the command line's bundle. */
export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
