import { CommerceError } from '../errors.ts';

/** Why a file cannot be written: a full disk, a read-only file system, or a missing permission. */
export type FileObstacle = 'full' | 'readOnly' | 'denied';

const obstacles: readonly (readonly [code: RegExp, obstacle: FileObstacle])[] = [
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)$/, 'full'],
  [/^(EROFS|SQLITE_READONLY.*)$/, 'readOnly'],
  [/^(EACCES|EPERM|SQLITE_CANTOPEN.*)$/, 'denied'],
];

/** The obstacle that an error or its cause names, by the code of the system or of SQLite. */
export function fileObstacle(error: unknown): FileObstacle | undefined {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  const codes = [code, cause?.code].filter((one) => typeof one === 'string');
  return obstacles.find(([pattern]) => codes.some((one) => pattern.test(one)))?.[1];
}

const reasons: Readonly<Record<FileObstacle, string>> = {
  full: 'the disk of the service is full; free some space and try again',
  readOnly: 'the disk of the service is read-only',
  denied: 'the service is not allowed to write to their folder',
};

/**
 * Runs work that stores files of clients.
 * @param what the files, in the plural, for the message. Clients see it, so it names no folder; the folder is in the cause, which is
 * logged.
 * @throws CommerceError `unavailable` if the disk is full or cannot be written
 */
export async function storingFiles<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const obstacle = error instanceof CommerceError ? undefined : fileObstacle(error);
    if (obstacle === undefined) throw error;
    throw new CommerceError('unavailable', `${what} cannot be stored: ${reasons[obstacle]}`, { cause: error });
  }
}
