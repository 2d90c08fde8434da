export interface XmlTag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

const namePattern = /[A-Za-z][\w:-]*/y
const attributePattern = /\s+([A-Za-z][\w:-]*)="([^"<]*)"/y
const unescapedAmpersand = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern detects control characters
const invalidCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u

/**
 * Parses an XML 1.0 document strictly and returns its opening tags in document order. Comments, processing instructions
 * and document types are not supported because generated pictures have none. Throws at the first error in the markup.
 */
export function parseXmlTags(xml: string): XmlTag[] {
  if (invalidCharacter.test(xml)) throw new Error('character not allowed in XML')
  if (unescapedAmpersand.test(xml)) throw new Error('unescaped ampersand')
  const tags: XmlTag[] = []
  const openTags: string[] = []
  let position = 0
  while (position < xml.length) {
    if (xml[position] !== '<') {
      const end = xml.indexOf('<', position)
      const text = xml.slice(position, end < 0 ? undefined : end)
      if (openTags.length === 0 || text.includes(']]>'))
        throw new Error(`text outside the root element or "]]>" in text: ${text.slice(0, 40)}`)
      position += text.length
      continue
    }
    const isClosing = xml[position + 1] === '/'
    namePattern.lastIndex = position + (isClosing ? 2 : 1)
    const tag = namePattern.exec(xml)?.[0]
    if (!tag) throw new Error(`expected a tag: ${xml.slice(position, position + 40)}`)
    position = namePattern.lastIndex
    if (isClosing) {
      if (openTags.pop() !== tag || xml[position] !== '>') throw new Error(`unexpected end of ${tag}`)
      position++
      continue
    }
    if (openTags.length === 0 && tags.length > 0) throw new Error('more than one root element')
    const attributes: Record<string, string> = {}
    for (attributePattern.lastIndex = position; ; position = attributePattern.lastIndex) {
      const match = attributePattern.exec(xml)
      if (!match) break
      if (match[1]! in attributes) throw new Error(`${match[1]} is duplicated in ${tag}`)
      attributes[match[1]!] = match[2]!
    }
    tags.push({ name: tag, attributes })
    while (/\s/.test(xml[position] ?? '')) position++
    if (xml.startsWith('/>', position)) position += 2
    else if (xml[position] === '>') {
      openTags.push(tag)
      position++
    } else throw new Error(`malformed attribute in ${tag}: ${xml.slice(position, position + 40)}`)
  }
  if (openTags.length > 0) throw new Error(`unclosed tags: ${openTags.join(' ')}`)
  return tags
}
