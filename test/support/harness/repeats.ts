/** True at night: `npm run test:nightly`. Random sequences differ each night; in other runs they are always the same. */
export const isNightly = process.env.TEST_NIGHTLY !== undefined;

/** Repetitions of a test with random parts: a few for every change, and at night enough to meet rare cases. */
export const repeats = ({ suite, nightly }: { suite: number; nightly: number }): number =>
  isNightly ? nightly : suite;
