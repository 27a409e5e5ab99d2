import type { DatabaseConnection, Driver } from 'kysely';

/**
 * A driver of Kysely on one open connection, which it neither opens nor closes.
 * @param refusal the error for its own transactions
 */
export function driverOn(connection: DatabaseConnection, refusal: () => Error): Driver {
  const refuse = async () => {
    throw refusal();
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: async () => {},
    destroy: async () => {},
  };
}
