export interface Tag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

const name = /[A-Za-z][\w:-]*/y
const attribute = /\s+([A-Za-z][\w:-]*)="([^"<]*)"/y
const badReference = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u

/**
 * Reads a document strictly (XML 1.0, without comments, processing instructions and document types, which our pictures
 * do not have) and returns its opening tags in order. Throws at the first thing that is not well-formed.
 */
export function tagsOf(xml: string): Tag[] {
  if (notXml.test(xml)) throw new Error('a character XML does not allow')
  if (badReference.test(xml)) throw new Error('a bare ampersand')
  const tags: Tag[] = []
  const open: string[] = []
  let at = 0
  while (at < xml.length) {
    if (xml[at] !== '<') {
      const end = xml.indexOf('<', at)
      const text = xml.slice(at, end < 0 ? undefined : end)
      if (open.length === 0 || text.includes(']]>'))
        throw new Error(`text where none may be: ${text.slice(0, 40)}`)
      at += text.length
      continue
    }
    const closing = xml[at + 1] === '/'
    name.lastIndex = at + (closing ? 2 : 1)
    const tag = name.exec(xml)?.[0]
    if (!tag) throw new Error(`no tag: ${xml.slice(at, at + 40)}`)
    at = name.lastIndex
    if (closing) {
      if (open.pop() !== tag || xml[at] !== '>') throw new Error(`unexpected end of ${tag}`)
      at++
      continue
    }
    if (open.length === 0 && tags.length > 0) throw new Error('two roots')
    const attributes: Record<string, string> = {}
    for (attribute.lastIndex = at; ; at = attribute.lastIndex) {
      const found = attribute.exec(xml)
      if (!found) break
      if (found[1]! in attributes) throw new Error(`${found[1]} twice in ${tag}`)
      attributes[found[1]!] = found[2]!
    }
    tags.push({ name: tag, attributes })
    while (/\s/.test(xml[at] ?? '')) at++
    if (xml.startsWith('/>', at)) at += 2
    else if (xml[at] === '>') {
      open.push(tag)
      at++
    } else throw new Error(`bad attribute in ${tag}: ${xml.slice(at, at + 40)}`)
  }
  if (open.length > 0) throw new Error(`${open.join(' ')} not closed`)
  return tags
}
