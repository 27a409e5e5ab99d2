import { CommerceError } from './errors.ts';

/** What keeps a file from being written: a full disk, a file system that can only be read, no right to write there. */
export type FileObstacle = 'full' | 'readOnly' | 'denied';

const obstacles: readonly (readonly [code: RegExp, obstacle: FileObstacle])[] = [
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)$/, 'full'],
  [/^(EROFS|SQLITE_READONLY.*)$/, 'readOnly'],
  [/^(EACCES|EPERM|SQLITE_CANTOPEN.*)$/, 'denied'],
];

/** The obstacle that an error tells of by its code or that of its cause, which are the system's or SQLite's. */
export function fileObstacle(error: unknown): FileObstacle | undefined {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  const codes = [code, cause?.code].filter((one) => typeof one === 'string');
  return obstacles.find(([pattern]) => codes.some((one) => pattern.test(one)))?.[1];
}

const reasons: Readonly<Record<FileObstacle, string>> = {
  full: 'the disk of the service is full; make room there and try again',
  readOnly: 'the disk of the service can only be read',
  denied: 'the service has no right to write to their folder',
};

/**
 * Does work that stores files of clients.
 * @param what the files, in the plural, for the message. Clients see it, so it names no folder: that is in the cause, which is logged.
 * @throws CommerceError `unavailable` when there is no room, or no right to write
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
