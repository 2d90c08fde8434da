/** Ranges and validators of one file (RFC 9110, sections 13 and 14). */

export interface Range {
  start: number
  /** Inclusive, as in the header. */
  end: number
}

/**
 * One range is honoured; several, other units, or one that makes no sense give the whole file (§14.2); one that begins
 * beyond the end cannot be satisfied (§15.5.17).
 */
export function readRange(header: string | undefined, size: number): Range | 'unsatisfiable' | null {
  const found = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '')
  if (!found || (found[1] === '' && found[2] === '')) return null
  if (found[1] === '') {
    const last = Number(found[2])
    return last === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - last), end: size - 1 }
  }
  const start = Number(found[1])
  const last = found[2] === '' ? Number.POSITIVE_INFINITY : Number(found[2])
  if (last < start) return null
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(last, size - 1) }
}

/** Strong: another length, time or file is another text. Says nothing of the name. */
export function etagOf({ size, mtimeMs, ino }: { size: number; mtimeMs: number; ino: number }): string {
  return `"${[size, Math.round(mtimeMs * 1000), ino].map((part) => part.toString(36)).join('-')}"`
}

/** Whether `If-Range` lets the range stand: the very tag, or the very date (§13.1.5). */
export function rangeStands(header: string | undefined, etag: string, modified: string): boolean {
  return header === undefined || header === etag || header === modified
}

/** Whether `If-None-Match` names what is there (§13.1.2). */
export function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*')
}
