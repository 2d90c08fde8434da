/**
 * True when an `If-None-Match` header matches the ETag. The caller then responds with 304. The comparison is weak (RFC
 * 9110, §13.1.2).
 */
export function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')
}
