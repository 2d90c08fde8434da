/**
 * Failure of a conversion, with one of these codes:
 * `timeout`: the machine is too slow.
 * `failed`: ffmpeg cannot convert the file.
 * `interrupted`: the system killed ffmpeg or could not store a segment.
 * `ended`: the session has ended, or the player has requested another segment meanwhile.
 */
export class ConversionFailure extends Error {
  readonly code: 'timeout' | 'failed' | 'interrupted' | 'ended'
  constructor(code: ConversionFailure['code'], detail = '') {
    super(`conversion ${code} ${detail}`.trim())
    this.code = code
  }
}
