import { versionOf } from '@commerce/core';

/** The entity tag of a single item: its version, which changes with anything in it. */
export function etagOf(body: string): string {
  // The item without its wrapping, which is what core knows the version of.
  return `"${versionOf(body.slice('{"item":'.length, -1))}"`;
}

/** Whether `If-None-Match` names the tag, so that the client has this very item already. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = tagsOf(ifNoneMatch);
  return tags.includes('*') || tags.includes(etag);
}

/** The versions that `If-Match` asks for; undefined where any will do. */
export function wantedVersions(ifMatch: string | undefined): string[] | undefined {
  if (ifMatch === undefined) return undefined;
  const tags = tagsOf(ifMatch);
  return tags.includes('*') ? undefined : tags.map((tag) => tag.replace(/^"(.*)"$/, '$1'));
}

/** Weak tags count as strong ones: a compressed answer has the weak form of the same tag. */
function tagsOf(header: string): string[] {
  return header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}
