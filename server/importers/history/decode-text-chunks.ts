/** Decodes bytes as UTF-8, or as UTF-16 if there is a byte order mark for it; some spreadsheets save UTF-16. */
export async function* decodeTextChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue
    decoder ??= new TextDecoder(detectEncoding(chunk))
    const text = decoder.decode(chunk, { stream: true })
    if (text) yield text
  }
  const rest = decoder?.decode()
  if (rest) yield rest
}

/** Returns the encoding that the byte order mark at the start of a file indicates; UTF-8 without a byte order mark. */
export function detectEncoding(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8'
}
