/** Converts reviews of other services to the plain text of a note. */
import { MAX_NOTE_LENGTH, normaliseNote, toPlainNote } from '../../../src/lib/rules/viewing-note.ts'
import { decodeHtmlEntities } from './html-entities.ts'

const LINE_BREAK_TAG_PATTERN = /<(?:br|\/p|\/blockquote)\s*\/?>/gi
const OTHER_TAG_PATTERN = /<\/?[a-z][^<>]*>/gi

/**
 * Returns the text of a review without HTML tags and control characters, cut to the maximum length of a note; an empty
 * text when nothing is left.
 */
export function toNoteText(review: string): string {
  const textWithoutTags = decodeHtmlEntities(
    review.replace(LINE_BREAK_TAG_PATTERN, '\n').replace(OTHER_TAG_PATTERN, ''),
  )
  const plainText = toPlainNote(textWithoutTags.toWellFormed())
  return normaliseNote(
    plainText
      .slice(0, MAX_NOTE_LENGTH)
      .toWellFormed()
      .replace(/\uFFFD$/, ''),
  )
}
