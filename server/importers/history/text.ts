/** Bytes to text. UTF-8 unless a byte order mark says UTF-16, as spreadsheets save it. */
export async function* decoded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue
    decoder ??= new TextDecoder(encodingOf(chunk))
    const text = decoder.decode(chunk, { stream: true })
    if (text) yield text
  }
  const rest = decoder?.decode()
  if (rest) yield rest
}

export function encodingOf(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8'
}
