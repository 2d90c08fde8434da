/**
 * A streaming reader of large JSON files: the elements of the outer array, or of each array that a key of the outer object
 * holds, one at a time. Only one element is ever in memory.
 */
import { decoded } from './text.ts'

export interface JsonElement {
  /** Key of the outer object; null in an outer array. */
  key: string | null
  /** An element of an array, or a value that the key holds itself. */
  listed: boolean
  value: unknown
  line: number
}

const LARGEST_ELEMENT = 1 << 24

export class JsonError extends Error {
  readonly line: number
  constructor(line: number) {
    super(`not JSON, at line ${line}`)
    this.line = line
  }
}

export class JsonReader {
  #text = ''
  #at = 0
  #from = 0
  #line = 1
  #elementLine = 1
  #depth = 0
  #inString = false
  #escaped = false
  #root: '' | '[' | '{' = ''
  #key: string | null = null
  /** In an array of the outer object. */
  #inList = false
  #ended = false

  /** The elements that end in this piece of text. Throws `JsonError`. */
  push(piece: string): JsonElement[] {
    const elements: JsonElement[] = []
    this.#text = this.#text.slice(this.#from) + piece
    this.#at -= this.#from
    this.#from = 0
    if (this.#text.length > LARGEST_ELEMENT + piece.length) throw new JsonError(this.#elementLine)
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at]!
      if (char === '\n') this.#line += 1
      if (this.#inString) this.#string(char)
      else if (char === '"') this.#inString = true
      else this.#structure(char, elements)
    }
    return elements
  }

  end(): void {
    if (!this.#ended) throw new JsonError(this.#line)
  }

  #string(char: string): void {
    if (this.#escaped) this.#escaped = false
    else if (char === '\\') this.#escaped = true
    else if (char === '"') this.#inString = false
  }

  #structure(char: string, elements: JsonElement[]): void {
    const level = this.#root === '[' || !this.#inList ? 1 : 2
    if (char === '[' || char === '{') this.#open(char)
    else if (char === ':' && this.#depth === 1 && this.#root === '{' && this.#key === null) {
      this.#key = String(this.#parse(this.#text.slice(this.#from, this.#at)))
      this.#next()
    } else if (char === ',' && this.#depth === level) {
      this.#element(elements)
    } else if (char === ']' || char === '}') {
      if (this.#depth === level) this.#element(elements)
      this.#depth -= 1
      if (this.#depth === 0) this.#ended = true
      else if (this.#inList && this.#depth === 1) {
        this.#inList = false
        this.#next()
      }
    } else if (this.#root === '' && !/\s/.test(char)) throw new JsonError(this.#line)
  }

  #open(char: '[' | '{'): void {
    this.#depth += 1
    if (this.#root === '') {
      this.#root = char
      this.#next()
    } else if (
      char === '[' &&
      this.#root === '{' &&
      this.#depth === 2 &&
      this.#key !== null &&
      this.#blank()
    ) {
      this.#inList = true
      this.#next()
    }
  }

  #blank(): boolean {
    return this.#text.slice(this.#from, this.#at).trim() === ''
  }

  /** What comes after this sign begins something new. */
  #next(): void {
    this.#from = this.#at + 1
    this.#elementLine = this.#line
  }

  #element(elements: JsonElement[]): void {
    const text = this.#text.slice(this.#from, this.#at)
    const start = text.search(/\S/)
    if (start >= 0) {
      this.#elementLine += text.slice(0, start).split('\n').length - 1
      const listed = this.#root === '[' || this.#inList
      elements.push({ key: this.#key, listed, value: this.#parse(text), line: this.#elementLine })
    }
    if (!this.#inList && this.#root === '{') this.#key = null
    this.#next()
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      throw new JsonError(this.#elementLine)
    }
  }
}

export async function* jsonElements(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JsonElement> {
  const reader = new JsonReader()
  for await (const text of decoded(chunks)) yield* reader.push(text)
  reader.end()
}

/** Reading what may be anything: an object's value by key, else undefined. */
export function at(value: unknown, ...keys: string[]): unknown {
  let here = value
  for (const key of keys) {
    if (typeof here !== 'object' || here === null) return undefined
    here = (here as Record<string, unknown>)[key]
  }
  return here
}
export const asText = (value: unknown) =>
  typeof value === 'string' && value.trim() ? value.trim() : undefined
export const asNumber = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined
export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
