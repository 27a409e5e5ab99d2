/** A wrong use of the command line, found by us and not by Commander. */
export class UsageError extends Error {}
