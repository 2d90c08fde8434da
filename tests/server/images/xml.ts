export interface XmlTag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

const namePattern = /[A-Za-z][\w:-]*/y
const attributePattern = /\s+([A-Za-z][\w:-]*)="([^"<]*)"/y
const unescapedAmpersandPattern = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern detects control characters
const invalidCharacterPattern = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u

/**
 * Parses an XML 1.0 document strictly and returns its opening tags in document order. Comments, processing instructions
 * and document types are not supported because generated pictures have none. Throws at the first error in the markup.
 */
export function parseXmlTags(xml: string): XmlTag[] {
  if (invalidCharacterPattern.test(xml)) throw new Error('character not allowed in XML')
  if (unescapedAmpersandPattern.test(xml)) throw new Error('unescaped ampersand')
  const tags: XmlTag[] = []
  const openTags: string[] = []
  let characterIndex = 0
  while (characterIndex < xml.length) {
    if (xml[characterIndex] !== '<') {
      const textEndIndex = xml.indexOf('<', characterIndex)
      const textContent = xml.slice(characterIndex, textEndIndex < 0 ? undefined : textEndIndex)
      if (openTags.length === 0 || textContent.includes(']]>'))
        throw new Error(`text outside the root element or "]]>" in text: ${textContent.slice(0, 40)}`)
      characterIndex += textContent.length
      continue
    }
    const isClosing = xml[characterIndex + 1] === '/'
    namePattern.lastIndex = characterIndex + (isClosing ? 2 : 1)
    const tagName = namePattern.exec(xml)?.[0]
    if (!tagName) throw new Error(`expected a tag: ${xml.slice(characterIndex, characterIndex + 40)}`)
    characterIndex = namePattern.lastIndex
    if (isClosing) {
      if (openTags.pop() !== tagName || xml[characterIndex] !== '>')
        throw new Error(`unexpected end of ${tagName}`)
      characterIndex++
      continue
    }
    if (openTags.length === 0 && tags.length > 0) throw new Error('more than one root element')
    const attributes: Record<string, string> = {}
    for (attributePattern.lastIndex = characterIndex; ; characterIndex = attributePattern.lastIndex) {
      const match = attributePattern.exec(xml)
      if (!match) break
      if (match[1]! in attributes) throw new Error(`${match[1]} is duplicated in ${tagName}`)
      attributes[match[1]!] = match[2]!
    }
    tags.push({ name: tagName, attributes })
    while (/\s/.test(xml[characterIndex] ?? '')) characterIndex++
    if (xml.startsWith('/>', characterIndex)) characterIndex += 2
    else if (xml[characterIndex] === '>') {
      openTags.push(tagName)
      characterIndex++
    } else
      throw new Error(`malformed attribute in ${tagName}: ${xml.slice(characterIndex, characterIndex + 40)}`)
  }
  if (openTags.length > 0) throw new Error(`unclosed tags: ${openTags.join(' ')}`)
  return tags
}
