/** Converts reviews of other services to the plain text of a note. */
import { MAX_NOTE_LENGTH, normaliseNote, toPlainNote } from '../../../src/lib/rules/viewing-note.ts'

const CHARACTERS_BY_ENTITY: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
  }),
)
const LINE_BREAK_TAG_PATTERN = /<(?:br|\/p|\/blockquote)\s*\/?>/gi
const OTHER_TAG_PATTERN = /<\/?[a-z][^<>]*>/gi
const ENTITY_PATTERN = /&(?:#(\d{1,7})|([a-z]+));/gi

/**
 * Returns the text of a review without HTML tags and control characters, cut to the length of a note; an empty text
 * when nothing is left.
 */
export function toNoteText(review: string): string {
  const textWithoutTags = review
    .replace(LINE_BREAK_TAG_PATTERN, '\n')
    .replace(OTHER_TAG_PATTERN, '')
    .replace(ENTITY_PATTERN, (entity, code?: string, name?: string) =>
      code ? toCharacter(Number(code)) : (CHARACTERS_BY_ENTITY.get(name?.toLowerCase() ?? '') ?? entity),
    )
  const plainText = toPlainNote(textWithoutTags.toWellFormed())
  return normaliseNote(
    plainText
      .slice(0, MAX_NOTE_LENGTH)
      .toWellFormed()
      .replace(/\uFFFD$/, ''),
  )
}

const toCharacter = (codePoint: number) => (codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '')
