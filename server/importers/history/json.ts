/**
 * A streaming reader of large JSON files. It yields the elements of the top-level array. If the top level is an object,
 * it yields the elements of each array in this object, and every other value of the object. Only one element is in
 * memory at a time. Lines end with CRLF, LF or CR.
 */
import { decodeTextChunks } from './decode-text-chunks.ts'

export interface JsonElement {
  /** Key in the top-level object; null if the top level is an array. */
  key: string | null
  /** True for an element of an array; false for any other value of the top-level object. */
  isArrayElement: boolean
  value: unknown
  /** Line number where the element begins, counted from 1. */
  line: number
}

/**
 * Maximum length of an element in characters. A series with 20,000 watched episodes in a Trakt export has about half
 * of this length.
 */
const MAX_ELEMENT_LENGTH = 1 << 22
const WHITE_SPACE_PATTERN = /\s/

export class JsonError extends Error {
  readonly line: number
  constructor(line: number) {
    super(`invalid JSON in line ${line}`)
    this.line = line
  }
}

export class JsonReader {
  #text = ''
  #position = 0
  #elementStart = 0
  #line = 1
  /** True if the previous character is CR, even if that character was the last one of the previous chunk. */
  #isAfterCr = false
  #elementLine = 1
  /** True if only white space was read since the start of the element. */
  #isElementBlank = true
  #depth = 0
  #isInString = false
  #isEscaped = false
  #root: '' | '[' | '{' = ''
  #key: string | null = null
  /** True inside an array that is a value of the top-level object. */
  #isInArray = false
  #hasEnded = false

  /** Returns the elements that end in this chunk of text. Throws `JsonError`. */
  push(chunk: string): JsonElement[] {
    const elements: JsonElement[] = []
    this.#text = this.#text.slice(this.#elementStart) + chunk
    this.#position -= this.#elementStart
    this.#elementStart = 0
    if (this.#text.length > MAX_ELEMENT_LENGTH + chunk.length) throw new JsonError(this.#elementLine)
    for (; this.#position < this.#text.length; this.#position++) {
      const char = this.#text[this.#position]!
      if (char === '\r' || (char === '\n' && !this.#isAfterCr)) this.#line += 1
      this.#isAfterCr = char === '\r'
      if (this.#isInString) this.#readStringChar(char)
      else if (char === '"') {
        this.#isInString = true
        this.#isElementBlank = false
      } else this.#readStructureChar(char, elements)
    }
    return elements
  }

  /** Call it after the last chunk. Throws `JsonError` if the text is incomplete. */
  end(): void {
    if (!this.#hasEnded) throw new JsonError(this.#line)
  }

  #readStringChar(char: string): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (char === '\\') this.#isEscaped = true
    else if (char === '"') this.#isInString = false
  }

  #readStructureChar(char: string, elements: JsonElement[]): void {
    const elementDepth = this.#root === '[' || !this.#isInArray ? 1 : 2
    const wasElementBlank = this.#isElementBlank
    this.#isElementBlank &&= WHITE_SPACE_PATTERN.test(char)
    if (char === '[' || char === '{') this.#openBracket(char, wasElementBlank)
    else if (char === ':' && this.#depth === 1 && this.#root === '{' && this.#key === null) {
      this.#key = String(this.#parseElement(this.#text.slice(this.#elementStart, this.#position)))
      this.#startElement()
    } else if (char === ',' && this.#depth === elementDepth) {
      this.#endElement(elements)
    } else if (char === ']' || char === '}') {
      if (this.#depth === elementDepth) this.#endElement(elements)
      this.#depth -= 1
      if (this.#depth === 0) this.#hasEnded = true
      else if (this.#isInArray && this.#depth === 1) {
        this.#isInArray = false
        this.#startElement()
      }
    } else if (this.#root === '' && !/\s/.test(char)) throw new JsonError(this.#line)
  }

  #openBracket(char: '[' | '{', wasElementBlank: boolean): void {
    this.#depth += 1
    if (this.#root === '') {
      this.#root = char
      this.#startElement()
    } else if (
      char === '[' &&
      this.#root === '{' &&
      this.#depth === 2 &&
      this.#key !== null &&
      wasElementBlank
    ) {
      this.#isInArray = true
      this.#startElement()
    }
  }

  /** Marks the next character as the start of an element, a key or a value. */
  #startElement(): void {
    this.#elementStart = this.#position + 1
    this.#elementLine = this.#line
    this.#isElementBlank = true
  }

  #endElement(elements: JsonElement[]): void {
    const elementText = this.#text.slice(this.#elementStart, this.#position)
    const startOffset = elementText.search(/\S/)
    if (startOffset >= 0) {
      this.#elementLine += elementText.slice(0, startOffset).split(/\r\n|\r|\n/).length - 1
      const isArrayElement = this.#root === '[' || this.#isInArray
      elements.push({
        key: this.#key,
        isArrayElement,
        value: this.#parseElement(elementText),
        line: this.#elementLine,
      })
    }
    if (!this.#isInArray && this.#root === '{') this.#key = null
    this.#startElement()
  }

  #parseElement(elementText: string): unknown {
    try {
      return JSON.parse(elementText)
    } catch {
      throw new JsonError(this.#elementLine)
    }
  }
}

/** Matches the start of JSON Lines: an object in the first line, and another one in the next. */
const JSON_LINES_PATTERN = /^\ufeff?\s*\{[^\r\n]*\}[ \t]*[\r\n]+[ \t]*\{/
/** The second line of JSON Lines must begin within this many characters from the start of the file. */
const JSON_LINES_HEAD_LENGTH = 8_192

/** Yields the elements of a file. JSON Lines are read as the elements of an array. Throws `JsonError`. */
export async function* readJsonElements(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JsonElement> {
  const reader = new JsonReader()
  let head: string | null = ''
  let isJsonLines = false
  const pushText = (text: string) => reader.push(isJsonLines ? text.replace(/[\r\n]+/g, ',$&') : text)
  const pushHead = (text: string) => {
    head = null
    isJsonLines = JSON_LINES_PATTERN.test(text)
    return pushText(isJsonLines ? `[${text.replace(/^\ufeff/, '')}` : text)
  }
  for await (const text of decodeTextChunks(chunks)) {
    if (head === null) yield* pushText(text)
    else if (head.length + text.length >= JSON_LINES_HEAD_LENGTH) yield* pushHead(head + text)
    else head += text
  }
  if (head !== null) yield* pushHead(head)
  if (isJsonLines) yield* reader.push(']')
  reader.end()
}

/** Returns the value at a path of keys in parsed JSON of unknown shape; undefined if a key is missing. */
export function getValueAt(value: unknown, ...propertyNames: string[]): unknown {
  let currentValue = value
  for (const propertyName of propertyNames) {
    if (typeof currentValue !== 'object' || currentValue === null) return undefined
    currentValue = (currentValue as Record<string, unknown>)[propertyName]
  }
  return currentValue
}
/** Returns the trimmed string; undefined if it is empty or not a string. */
export const readText = (value: unknown) =>
  typeof value === 'string' && value.trim() ? value.trim() : undefined
export const readNumber = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined
export const readList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
