/** A wrong use of the command line that Commander does not detect. */
export class UsageError extends Error {}
