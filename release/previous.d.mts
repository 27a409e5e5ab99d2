/** A tag, or what package.json names. */
export function previousReleases(): Promise<string[]>;
/** Commit of a ref; undefined where the history is not there. */
export function commitOf(ref: string): Promise<string | undefined>;
/** Path of the command line of a commit, for `node`; built when it was not before. */
export function buildOf(commit: string): Promise<string>;
/** Path of the command line built of the sources that `lay` puts into a folder; kept by its name. */
export function keptBuild(name: string, lay: (folder: string) => Promise<void>): Promise<string>;
