/**
 * Streams the first file of a multipart body (RFC 7578). A body of another content type is the file itself.
 * `Request.formData()` is not used, because it would hold the whole file in memory.
 */
import { createFieldProblem } from '../../core/problem.ts'

const MAX_HEADER_BYTES = 16 * 1024
/** Maximum length of a boundary (RFC 2046, section 5.1.1). */
const MAX_BOUNDARY_LENGTH = 70

export interface FilePart {
  name?: string | undefined
  body: AsyncIterable<Uint8Array>
}

/**
 * Returns the first file of the body. Throws 422 if a multipart body has no valid boundary, contains no file or
 * is incomplete.
 */
export async function readFilePart(
  requestHeaders: Headers,
  body: AsyncIterable<Uint8Array>,
): Promise<FilePart> {
  const contentType = requestHeaders.get('content-type') ?? ''
  if (!/^multipart\/form-data/i.test(contentType)) return { body }
  const boundary = parseParameters(contentType).get('boundary')
  if (!boundary || boundary.length > MAX_BOUNDARY_LENGTH) throw createFieldProblem('file', 'not_form_data')
  const scanner = new MultipartScanner(body, boundary)
  for (;;) {
    const headers = await scanner.readHeaders()
    if (headers === null) throw createFieldProblem('file', 'needed')
    const name = parseFileName(headers)
    if (name !== null) return { name, body: scanner.readContent() }
    for await (const _ of scanner.readContent());
  }
}

/** Returns the file name of a part; null if the part is not a file. */
function parseFileName(headers: string): string | null {
  const contentDisposition = headers.split('\r\n').find((line) => /^content-disposition:/i.test(line)) ?? ''
  const parameters = parseParameters(contentDisposition)
  const encodedName = /^UTF-8''(.+)$/i.exec(parameters.get('filename*') ?? '')?.[1]
  if (encodedName) {
    try {
      return decodeURIComponent(encodedName)
    } catch {
      return encodedName
    }
  }
  return parameters.get('filename')?.replaceAll('%22', '"') ?? null
}

/**
 * Returns the parameters of a header by lowercase name. A value is a token or a quoted string (RFC 9110, section
 * 5.6.6).
 */
function parseParameters(header: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [, name = '', quotedValue, token = ''] of header.matchAll(
    /;\s*([^\s;="]+)=(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g,
  ))
    parameters.set(name.toLowerCase(), quotedValue?.replace(/\\(.)/g, '$1') ?? token.trim())
  return parameters
}

class MultipartScanner {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #delimiter: Buffer
  #bufferedBytes = Buffer.from('\r\n')

  constructor(body: AsyncIterable<Uint8Array>, boundary: string) {
    this.#chunks = body[Symbol.asyncIterator]()
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  }

  async #readNextChunk(): Promise<boolean> {
    const { value, done } = await this.#chunks.next()
    if (done) return false
    this.#bufferedBytes = Buffer.concat([this.#bufferedBytes, value])
    return true
  }

  /**
   * Reads the headers of the next part; null after the last part, or if the body ends before the headers are complete.
   */
  async readHeaders(): Promise<string | null> {
    for (;;) {
      const delimiterIndex = this.#bufferedBytes.indexOf(this.#delimiter)
      if (delimiterIndex >= 0) {
        const remainingBuffer = this.#bufferedBytes.subarray(delimiterIndex + this.#delimiter.length)
        if (remainingBuffer.subarray(0, 2).toString('latin1') === '--') return null
        const headersEndIndex = remainingBuffer.indexOf('\r\n\r\n')
        if (headersEndIndex >= 0) {
          this.#bufferedBytes = remainingBuffer.subarray(headersEndIndex + 4)
          return remainingBuffer.subarray(0, headersEndIndex).toString('utf8').trim()
        }
      }
      if (this.#bufferedBytes.length > MAX_HEADER_BYTES) throw createFieldProblem('file', 'not_form_data')
      if (!(await this.#readNextChunk())) return null
    }
  }

  /** Yields the bytes up to the next boundary, which stays in the buffer. */
  async *readContent(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const delimiterIndex = this.#bufferedBytes.indexOf(this.#delimiter)
      if (delimiterIndex >= 0) {
        if (delimiterIndex > 0) yield this.#bufferedBytes.subarray(0, delimiterIndex)
        this.#bufferedBytes = this.#bufferedBytes.subarray(delimiterIndex)
        return
      }
      const contentSizeBytes = this.#bufferedBytes.length - this.#delimiter.length
      if (contentSizeBytes > 0) {
        yield this.#bufferedBytes.subarray(0, contentSizeBytes)
        this.#bufferedBytes = this.#bufferedBytes.subarray(contentSizeBytes)
      }
      if (!(await this.#readNextChunk())) throw createFieldProblem('file', 'not_form_data')
    }
  }
}
