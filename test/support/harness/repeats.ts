/** True in the night: `npm run test:nightly`. Random sequences are others each night, and the same ones with every change. */
export const isNightly = process.env.TEST_NIGHTLY !== undefined;

/**
 * How often a test that leaves something to chance is repeated: a few times with every change, and as often in the night as it takes to
 * meet what happens seldom.
 */
export const repeats = ({ suite, nightly }: { suite: number; nightly: number }): number =>
  isNightly ? nightly : suite;
