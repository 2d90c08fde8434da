/** `timeout`: the machine is too slow; `failed`: ffmpeg cannot convert the file; `ended`: the session has ended meanwhile. */
export class ConversionFailure extends Error {
  readonly code: 'timeout' | 'failed' | 'ended'
  constructor(code: ConversionFailure['code'], detail = '') {
    super(`conversion ${code} ${detail}`.trim())
    this.code = code
  }
}
