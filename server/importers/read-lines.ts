/** Reads text files of other services line by line. A file is untrusted, so the length of a line is limited. */

/** Maximum length of a line. Without a limit, a file without line breaks would fill the memory. */
export const MAX_LINE_BYTES = 1024 * 1024
const LF_CODE = 10

/**
 * Yields the lines of a UTF-8 file, without their line breaks. Throws if more than `MAX_LINE_BYTES` of a line were read
 * without finding its end.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let partialLine = Buffer.alloc(0)
  let lineNumber = 1
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([partialLine, chunk])
    let lineStart = 0
    for (;;) {
      const lineEnd = bytes.indexOf(LF_CODE, lineStart)
      if (lineEnd === -1) break
      yield bytes.toString('utf8', lineStart, lineEnd).replace(/\r$/, '')
      lineStart = lineEnd + 1
      lineNumber += 1
    }
    partialLine = bytes.subarray(lineStart)
    if (partialLine.length > MAX_LINE_BYTES) throw new Error(`line ${lineNumber} does not end`)
  }
  if (partialLine.length > 0) yield partialLine.toString('utf8')
}
