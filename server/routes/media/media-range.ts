/** Range requests and validators of a file (RFC 9110, sections 13 and 14). */

export interface ByteRange {
  start: number
  /** Last byte of the range (inclusive), as in the header. */
  end: number
}

/**
 * Parses a Range header. Only a single byte range is supported. Returns null for several ranges, other units or an
 * invalid range, so that the whole file is sent (§14.2). A range that begins beyond the end is unsatisfiable
 * (§15.5.17).
 */
export function parseRangeHeader(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return null
  if (match[1] === '') {
    const suffixLengthBytes = Number(match[2])
    return suffixLengthBytes === 0 || sizeBytes === 0
      ? 'unsatisfiable'
      : { start: Math.max(0, sizeBytes - suffixLengthBytes), end: sizeBytes - 1 }
  }
  const startByte = Number(match[1])
  const lastByte = match[2] === '' ? Number.POSITIVE_INFINITY : Number(match[2])
  if (lastByte < startByte) return null
  return startByte >= sizeBytes
    ? 'unsatisfiable'
    : { start: startByte, end: Math.min(lastByte, sizeBytes - 1) }
}

/** Returns a strong ETag from size, modification time and inode. It does not contain the file name. */
export function createFileEtag({
  size,
  mtimeMs,
  ino,
}: {
  size: number
  mtimeMs: number
  ino: number
}): string {
  return `"${[size, Math.round(mtimeMs * 1000), ino].map((value) => value.toString(36)).join('-')}"`
}

/** True when `If-Range` is absent or equals the ETag or the modification date, so that the range applies (§13.1.5). */
export function matchesIfRange(header: string | undefined, etag: string, lastModified: string): boolean {
  return header === undefined || header === etag || header === lastModified
}
