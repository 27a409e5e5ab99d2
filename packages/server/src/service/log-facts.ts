import type { RequestEntry } from '../request/request-entry.ts';

/** The log of a server: an entry for each request and each fault. */
export interface Log {
  request(entry: RequestEntry): void;
  /** An internal error: of the request with that id, or of a background task. */
  fault(error: unknown, where: { requestId: string } | { task: string }): void;
  /** A warning to the operator, with only ids and our own words. */
  warning(about: Record<string, string>): void;
  /** Writes the waiting lines, waiting at most half a second. */
  close(): Promise<void>;
}

/** Logged parts of an error. */
export interface Described {
  error: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: Described;
}

/**
 * The parts of an error without a customer's data. The other properties of a database's error contain some: PostgreSQL puts values into
 * `detail`, `where` and `hint`, and other programs into their own properties.
 */
export function described(error: unknown, depth = 0): Described {
  if (!(error instanceof Error)) return { error: typeof error, message: 'something that is no error was thrown' };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const message = withoutValues(error.message, code);
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    error: error.name,
    message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    ...(frames && frames.length > 0 ? { stack: frames.map((line) => line.trim()).join('\n') } : {}),
    ...(cause instanceof Error && depth < 4 ? { cause: described(cause, depth + 1) } : {}),
  };
}

/** PostgreSQL quotes a value that does not fit its type (class 22): `invalid input syntax for type uuid: "…"`. */
function withoutValues(message: string, code: unknown): string {
  return typeof code === 'string' && /^22\w{3}$/.test(code) ? message.replace(/: .*$/s, '') : message;
}
