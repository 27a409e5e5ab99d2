/** A flag in a database row: 0 or 1, because both engines bind and compare these alike. */
export type Flag = 0 | 1;
