/** Returns the bytes of a text in a code page: the inverse of `TextDecoder`. Omits characters that the page lacks. */
export function encodeText(text: string, encoding: string): Buffer {
  const decoder = new TextDecoder(encoding)
  const bytesByCharacter = new Map<string, number[]>()
  for (let first = 0; first < 256; first++) {
    bytesByCharacter.set(decoder.decode(Uint8Array.of(first)), [first])
    if (first < 0x81) continue
    for (let second = 0x40; second < 255; second++) {
      const character = decoder.decode(Uint8Array.of(first, second))
      if ([...character].length === 1 && !bytesByCharacter.has(character))
        bytesByCharacter.set(character, [first, second])
    }
  }
  return Buffer.from([...text].flatMap((character) => bytesByCharacter.get(character) ?? []))
}
