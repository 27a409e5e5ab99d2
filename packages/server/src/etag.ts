import type { IncomingHttpHeaders } from 'node:http';
import { versionOf } from '@commerce/core';

/** The entity tag of a version. */
export function tagOf(version: string): string {
  return `"${version}"`;
}

/** The entity tag of a single item: its version, which changes with any part of it. */
export function itemTag(body: string): string {
  // Core knows the version of the item without its wrapping.
  return tagOf(versionOf(body.slice('{"item":'.length, -1)));
}

/** The tag of the same content in other bytes, such as compressed ones. */
export function weakTag(etag: string): string {
  return etag.startsWith('"') ? `W/${etag}` : etag;
}

/**
 * True if the client already has this version and gets a 304.
 * @param modifiedAt in milliseconds; a date counts only if the client names no tags
 */
export function isFresh(headers: IncomingHttpHeaders, etag: string, modifiedAt?: number): boolean {
  const { 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince } = headers;
  if (ifNoneMatch !== undefined) {
    const tags = tagsOf(ifNoneMatch);
    return tags.includes('*') || tags.includes(etag);
  }
  if (modifiedAt === undefined || ifModifiedSince === undefined) return false;
  // To the second, which is the header's precision.
  return Math.floor(modifiedAt / 1000) * 1000 <= Date.parse(ifModifiedSince);
}

/** Versions accepted by `If-Match`; undefined if any version is. */
export function wantedVersions(ifMatch: string | undefined): string[] | undefined {
  if (ifMatch === undefined) return undefined;
  const tags = tagsOf(ifMatch);
  return tags.includes('*') ? undefined : tags.map((tag) => tag.replace(/^"(.*)"$/, '$1'));
}

/** Weak tags count as strong ones: a compressed answer has the weak form of the same tag. */
function tagsOf(header: string): string[] {
  return header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}
