// The build contains it: beside a bundle of an application lies another package.json, or none.
import about from '../package.json' with { type: 'json' };

export const version: string = about.version;
