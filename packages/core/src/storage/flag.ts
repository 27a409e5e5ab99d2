/** A database row keeps flags as 0 or 1, the one spelling that both engines bind and compare alike. */
export type Flag = 0 | 1;
