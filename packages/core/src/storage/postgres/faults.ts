import { quote } from '../../kernel/errors.ts';
import { isOutdatedPlan } from './transaction.ts';

export function uniqueViolation(error: unknown): string | undefined {
  const { code, constraint, message } = error as { code?: string; constraint?: string; message?: string };
  return code === '23505' ? ruleOf(constraint ?? message ?? '') : undefined;
}

/** Includes a transaction that was idle for too long: the server gave it up before the next statement arrived. */
export function isTransient(error: unknown): boolean {
  return hasState(error, '40001', '40P01', '25P03') || isOutdatedPlan(error) || wasNeverSent(error);
}

export function isUnavailable(error: unknown): boolean {
  return (
    hasState(error, '55P03', '57014', '57P01', '57P02', '57P03', '53', '08') ||
    isConnectionError(error) ||
    isFatal(error)
  );
}

/**
 * The rule whose index a text names: unique indexes are called `table__column` after their last key column, primary keys `table_pkey`. On a
 * distributed table, the error has the name only in its message, and it is the name of a shard's index: `products__slug_102140`.
 */
function ruleOf(text: string): string | undefined {
  const [, name] = /([a-z][a-z_]*?(?:_pkey|__[a-z_]+?))(?:_\d+)?(?![a-z0-9_])/.exec(text) ?? [];
  return name?.replace(/_pkey$/, '.id').replace('__', '.');
}

function hasState(error: unknown, ...states: string[]): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.length === 5 && states.some((state) => code.startsWith(state));
}

/** The connection was already lost before the statement was sent: not even a commit can have run. */
function wasNeverSent(error: unknown): boolean {
  return error instanceof Error && /connection error and is not queryable/.test(error.message);
}

/** Errors with which PostgreSQL ends a session, or refuses to begin one. */
function isFatal(error: unknown): boolean {
  const { severity } = (error ?? {}) as { severity?: unknown };
  return severity === 'FATAL' || severity === 'PANIC';
}

function isConnectionError(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  return (
    ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN', '28P01', '28000', '3D000'].includes(
      code ?? '',
    ) ||
    socketOf(error) !== undefined ||
    /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect/.test(
      message ?? '',
    ) ||
    whyNotTrusted(error) !== undefined
  );
}

/** The Unix socket of a failed connection: it is missing, or belongs to another user. */
function socketOf(error: unknown): string | undefined {
  const { code, syscall, address } = (error ?? {}) as { code?: string; syscall?: string; address?: string };
  return syscall === 'connect' && (code === 'ENOENT' || code === 'EACCES') ? address : undefined;
}

/** Faults of a certificate, by Node.js's code. */
const certificateFaults: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed; name its authority with sslrootcert=<file>',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an unknown authority; name it with sslrootcert=<file>',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes from an unknown authority; name it with sslrootcert=<file>',
  UNABLE_TO_GET_ISSUER_CERT: 'comes from an unknown authority; name it with sslrootcert=<file>',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an unknown authority; name it with sslrootcert=<file>',
  CERT_SIGNATURE_FAILURE: 'was not signed by the authority in sslrootcert',
};

/** Reason why a TLS connection failed; undefined for other errors. */
function whyNotTrusted(error: unknown): string | undefined {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  const fault = Object.hasOwn(certificateFaults, code) ? certificateFaults[code] : undefined;
  if (fault !== undefined) return `the certificate of the server ${fault}`;
  return /server does not support SSL/.test(message)
    ? 'the server does not support TLS, which the address requires'
    : undefined;
}

/** The fault of the address, told from the error; undefined if trying again can help. */
export function whyRefused(error: unknown, url: string): string | undefined {
  const { code, message = '', errors } = (error ?? {}) as { code?: string; message?: string; errors?: unknown[] };
  const { host, hostname, username } = new URL(url);
  const user = username ? `the user ${JSON.stringify(decodeURIComponent(username))}` : 'the user';
  if (/password must be a string|empty password/i.test(message)) {
    return `the server requires a password for ${user}, and the address does not have one`;
  }
  if (code === '28P01') return `the password is wrong, or the user does not exist (${message})`;
  if (code === '28000') return `the server denies access to ${user} (${message})`;
  if (code === '42501') {
    return `${user} is not allowed to use its tables (${message}); run \`commerce migrate --grant-to\` with its name as their owner`;
  }
  if (code === '3D000') return `the database does not exist on the server (${message})`;
  if (code === '55000' && isFatal(error)) return `the database does not allow connections at the moment (${message})`;
  const distrust = whyNotTrusted(error);
  if (distrust !== undefined) return distrust;
  if (/unsupported startup parameter/.test(message)) {
    return `the pooler at ${host} rejects the session settings (${message}); if it pools transactions, add pooler=transaction to the address`;
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the host ${JSON.stringify(hostname)} is unknown`;
  const socket = socketOf(error);
  if (socket !== undefined) {
    return code === 'EACCES'
      ? `this user is not allowed to connect to the socket ${quote(socket)}`
      : `no PostgreSQL is listening on the socket ${quote(socket)}; is it running, and is the folder correct?`;
  }
  // If a name has several addresses, each has its own error.
  if (code === 'ECONNREFUSED' || errors?.some((one) => (one as { code?: string }).code === 'ECONNREFUSED')) {
    return `no PostgreSQL is listening at ${host}; is it running, and is the port correct?`;
  }
  return undefined;
}
