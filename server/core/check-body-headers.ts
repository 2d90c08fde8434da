import { Problem } from './problem.ts'

/**
 * Throws 415 for a compressed body, because it can expand to any size, and 413 for a body whose stated length is above
 * `limitBytes`.
 */
export function checkBodyHeaders(headers: Headers, limitBytes: number): void {
  const encoding = headers.get('content-encoding')?.toLowerCase()
  if (encoding && encoding !== 'identity') throw new Problem('unsupported_media_type')
  if (Number(headers.get('content-length') ?? 0) > limitBytes) throw new Problem('payload_too_large')
}
