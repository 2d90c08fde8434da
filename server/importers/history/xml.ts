/**
 * A streaming reader for XML files (xml-exports.ts, xml-records.ts). It yields the elements with given names, with the
 * texts of their child elements. It reads in one pass. It decodes only character references and the five predefined
 * entities, and rejects a document type with declarations, so that no entity can be expanded.
 */
import { decodeTextChunks } from './decode-text-chunks.ts'

export interface XmlRecord {
  /** Name of the element, in lower case. */
  name: string
  /** Line number where the element begins, counted from 1. */
  line: number
  /**
   * Texts of the child elements by name, in lower case. Of several elements with one name, the first that is not empty
   * is kept. The attribute `type` of an element is part of the name: `uniqueid[imdb]`.
   */
  texts: ReadonlyMap<string, string>
}

/** Maximum number of characters that are buffered until the end of a tag arrives. */
const MAX_PENDING_LENGTH = 1 << 16
/** Maximum length of the text of a child element; longer texts are cut. */
const MAX_TEXT_LENGTH = 10_000
const MAX_DEPTH = 64
/** Maximum number of child elements of a record. Kodi writes fewer than 100 different ones. */
const MAX_FIELDS = 1_000

export class XmlError extends Error {
  readonly line: number
  constructor(line: number) {
    super(`invalid XML in line ${line}`)
    this.line = line
  }
}

interface OpenElement {
  name: string
  /** The texts that were collected so far if the element is a record; null for any other element. */
  record: { line: number; texts: Map<string, string> } | null
  /**
   * Name under which the record around this element stores the text of this element; null if the text is not stored.
   */
  fieldName: string | null
}

/**
 * Kinds of markup whose content is not parsed, with the characters that start and end them. The content is read as text
 * or skipped.
 */
const UNPARSED_SECTIONS = [
  { start: '<!--', end: '-->', isText: false },
  { start: '<![CDATA[', end: ']]>', isText: true },
  { start: '<?', end: '?>', isText: false },
] as const

export class XmlReader {
  readonly #recordNames: ReadonlySet<string>
  #pendingText = ''
  #line = 1
  #section: (typeof UNPARSED_SECTIONS)[number] | null = null
  readonly #openElements: OpenElement[] = []

  constructor(recordNames: readonly string[]) {
    this.#recordNames = new Set(recordNames)
  }

  /** Returns the records that end in this chunk of text. Throws `XmlError`. */
  push(chunk: string): XmlRecord[] {
    const text = this.#pendingText + chunk
    const records: XmlRecord[] = []
    let position = 0
    for (;;) {
      const nextPosition = this.#section
        ? this.#readSection(text, position)
        : this.#readMarkup(text, position, records)
      if (nextPosition === null) break
      position = nextPosition
    }
    this.#pendingText = text.slice(position)
    if (this.#pendingText.length > MAX_PENDING_LENGTH + chunk.length) throw new XmlError(this.#line)
    return records
  }

  /** Call it after the last chunk. Throws `XmlError` if the text is incomplete. */
  end(): void {
    if (this.#pendingText.trim() !== '' || this.#section || this.#openElements.length > 0)
      throw new XmlError(this.#line)
  }

  /** Reads to the end of a section. Returns the next position; null if more text is needed. */
  #readSection(text: string, position: number): number | null {
    const { end, isText } = this.#section!
    const endIndex = text.indexOf(end, position)
    // The last characters of the chunk may be the first characters of `end`, so they are read together with the next
    // chunk.
    const stopIndex = endIndex < 0 ? Math.max(position, text.length - end.length + 1) : endIndex
    const content = text.slice(position, stopIndex)
    this.#line += countLines(content)
    if (isText) this.#appendText(escapeAmpersands(content))
    if (endIndex < 0) return stopIndex > position ? stopIndex : null
    this.#section = null
    return endIndex + end.length
  }

  /** Reads text, a tag, or the start of a section. Returns the next position; null if more text is needed. */
  #readMarkup(text: string, position: number, records: XmlRecord[]): number | null {
    if (position >= text.length) return null
    if (text[position] !== '<') {
      const tagIndex = text.indexOf('<', position)
      const content = text.slice(position, tagIndex < 0 ? text.length : tagIndex)
      this.#line += countLines(content)
      this.#appendText(content)
      return position + content.length
    }
    const rest = text.slice(position, position + 9)
    const section = UNPARSED_SECTIONS.find(({ start }) => rest.startsWith(start))
    if (section) {
      this.#section = section
      return position + section.start.length
    }
    if (rest.length < 9 && UNPARSED_SECTIONS.some(({ start }) => start.startsWith(rest))) return null
    const endIndex = text.indexOf('>', position)
    if (endIndex < 0) return null
    this.#readTag(text.slice(position + 1, endIndex), records)
    return endIndex + 1
  }

  #readTag(tag: string, records: XmlRecord[]): void {
    const startLine = this.#line
    this.#line += countLines(tag)
    if (tag.startsWith('!')) {
      if (tag.includes('[')) throw new XmlError(startLine)
      return
    }
    const name = /^\/?\s*([\w.:-]{1,100})/.exec(tag)?.[1]?.toLowerCase()
    if (!name) throw new XmlError(startLine)
    if (tag.startsWith('/')) this.#closeElement(name, startLine, records)
    else {
      const record = this.#recordNames.has(name)
        ? { line: startLine, texts: new Map<string, string>() }
        : null
      const fieldName = record ? null : this.#createFieldName(name, tag)
      this.#openElements.push({ name, record, fieldName })
      if (this.#openElements.length > MAX_DEPTH) throw new XmlError(startLine)
      if (tag.endsWith('/')) this.#closeElement(name, startLine, records)
    }
  }

  /**
   * Returns the name under which the text of an element is stored. Returns null for an element that is no child of a
   * record, and for an element whose name has a text already, because the first text of each name is kept.
   */
  #createFieldName(name: string, tag: string): string | null {
    const texts = this.#openElements.at(-1)?.record?.texts
    if (!texts) return null
    const type = /\stype\s*=\s*["']([\w-]{1,40})["']/i.exec(tag.slice(0, 1_000))?.[1]?.toLowerCase()
    const fieldName = type ? `${name}[${type}]` : name
    return texts.has(fieldName) ? null : fieldName
  }

  #closeElement(name: string, line: number, records: XmlRecord[]): void {
    const element = this.#openElements.pop()
    if (element?.name !== name) throw new XmlError(line)
    if (!element.record) return
    const texts = new Map(
      [...element.record.texts].map(([key, text]) => [key, decodeEntities(text).trim()] as const),
    )
    records.push({ name, line: element.record.line, texts })
  }

  /** Appends text to the current child element of the innermost record. */
  #appendText(text: string): void {
    const fieldName = this.#openElements.at(-1)?.fieldName
    const texts = this.#openElements.at(-2)?.record?.texts
    if (!fieldName || !texts) return
    const previousText = texts.get(fieldName) ?? ''
    if (previousText.length >= MAX_TEXT_LENGTH || texts.size >= MAX_FIELDS) return
    texts.set(fieldName, (previousText + text).slice(0, MAX_TEXT_LENGTH))
  }
}

const countLines = (text: string) => text.split(/\r\n|\r|\n/).length - 1

const CHARACTERS_BY_ENTITY: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

const escapeAmpersands = (text: string) => text.replaceAll('&', '&amp;')

const decodeEntities = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (entity, decimal, hex, name) => {
    if (name) return CHARACTERS_BY_ENTITY[name.toLowerCase()] ?? entity
    const codePoint = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return codePoint > 0 && codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : entity
  })

/** Yields the elements with one of these names. Throws `XmlError`. */
export async function* readXmlRecords(
  chunks: AsyncIterable<Uint8Array>,
  recordNames: readonly string[],
): AsyncGenerator<XmlRecord> {
  const reader = new XmlReader(recordNames)
  for await (const text of decodeTextChunks(chunks)) yield* reader.push(text)
  reader.end()
}
