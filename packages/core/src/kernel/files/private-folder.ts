import { chmod, lstat, mkdir } from 'node:fs/promises';
import { CommerceError } from '../errors.ts';

/**
 * Creates a folder for this user only, or checks an existing one. Call it before anything in the folder is read, written or removed. Every
 * user can write to the system's temporary folder, so an entry of our name might belong to an attacker, or lead elsewhere.
 * @param what contents of the folder, for the message
 * @throws CommerceError `unavailable` if it belongs to another user, or is a link or a file
 */
export async function openPrivateFolder(directory: string, what: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await checkPrivateFolder(directory, what);
}

/** Like `openPrivateFolder`, but the folder must exist. */
export async function checkPrivateFolder(directory: string, what: string): Promise<void> {
  const stats = await lstat(directory);
  const own = process.getuid?.() ?? stats.uid;
  if (!stats.isDirectory() || stats.uid !== own) {
    throw new CommerceError(
      'unavailable',
      `${what} cannot be kept in ${directory}: it ${stats.isDirectory() ? 'belongs to another user' : 'is not a directory'}`,
    );
  }
  if ((stats.mode & 0o077) !== 0) await chmod(directory, 0o700);
}
