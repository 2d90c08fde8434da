/**
 * The first file of a multipart body (RFC 7578) as it streams in; any other body is the file itself. The platform's own
 * `formData()` would hold all of it in memory.
 */
import { invalid } from '../../problem.ts'

const LONGEST_HEAD = 16 * 1024

export interface FilePart {
  name?: string | undefined
  body: AsyncIterable<Uint8Array>
}

/** Throws 422 when a multipart body has no file in it, or does not end. */
export async function filePart(request: Request): Promise<FilePart> {
  const body = request.body as AsyncIterable<Uint8Array> | null
  if (!body) throw invalid('file', 'needed')
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data/i.test(type)) return { body }
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^;\s]{1,70}))/i.exec(type)
  const text = boundary?.[1] ?? boundary?.[2]
  if (!text) throw invalid('file', 'not_form_data')
  const scanner = new Scanner(body, text)
  for (;;) {
    const head = await scanner.head()
    if (head === null) throw invalid('file', 'needed')
    const name = fileNameIn(head)
    if (name !== null) return { name, body: scanner.content() }
    for await (const _ of scanner.content());
  }
}

/** Null for a field that is no file. */
function fileNameIn(head: string): string | null {
  const line = head.split('\r\n').find((one) => /^content-disposition:/i.test(one)) ?? ''
  const wide = /;\s*filename\*=UTF-8''([^;\s]+)/i.exec(line)?.[1]
  if (wide) {
    try {
      return decodeURIComponent(wide)
    } catch {
      return wide
    }
  }
  const plain = /;\s*filename="((?:[^"\\]|\\.)*)"/i.exec(line)?.[1]
  return plain === undefined ? null : plain.replace(/\\(.)/g, '$1').replaceAll('%22', '"')
}

class Scanner {
  readonly #pieces: AsyncIterator<Uint8Array>
  readonly #mark: Buffer
  #held = Buffer.from('\r\n')

  constructor(body: AsyncIterable<Uint8Array>, boundary: string) {
    this.#pieces = body[Symbol.asyncIterator]()
    this.#mark = Buffer.from(`\r\n--${boundary}`, 'latin1')
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#pieces.next()
    if (done) return false
    this.#held = Buffer.concat([this.#held, value])
    return true
  }

  /** The head lines of the next part; null after the last one. */
  async head(): Promise<string | null> {
    for (;;) {
      const from = this.#held.indexOf(this.#mark)
      if (from >= 0) {
        const rest = this.#held.subarray(from + this.#mark.length)
        if (rest.subarray(0, 2).toString('latin1') === '--') return null
        const end = rest.indexOf('\r\n\r\n')
        if (end >= 0) {
          this.#held = rest.subarray(end + 4)
          return rest.subarray(0, end).toString('utf8').trim()
        }
      }
      if (this.#held.length > LONGEST_HEAD) throw invalid('file', 'not_form_data')
      if (!(await this.#more())) return null
    }
  }

  /** The bytes up to the next boundary, which is kept. */
  async *content(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = this.#held.indexOf(this.#mark)
      if (at >= 0) {
        if (at > 0) yield this.#held.subarray(0, at)
        this.#held = this.#held.subarray(at)
        return
      }
      const sure = this.#held.length - this.#mark.length
      if (sure > 0) {
        yield this.#held.subarray(0, sure)
        this.#held = this.#held.subarray(sure)
      }
      if (!(await this.#more())) throw invalid('file', 'not_form_data')
    }
  }
}
