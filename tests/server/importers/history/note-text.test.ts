/** Reviews of other services become plain text. */
import { expect, it } from 'vitest'
import { toNoteText } from '../../../../server/importers/history/note-text.ts'
import { MAX_NOTE_LENGTH, NOTE_PATTERN } from '../../../../src/lib/rules/viewing-note.ts'

it.each([
  ['One.\r\n\r\nTwo.', 'One.\n\nTwo.'],
  ['<i>Heat</i> &amp; <a href="https://x.test/?a=1">others</a><br>again', 'Heat & others\nagain'],
  ['<p>One</p><p>Two</p>', 'One\nTwo'],
  ['It&#039;s 1 < 2 &gt; 0, I &heart; it', "It's 1 < 2 > 0, I &heart; it"],
  ['&constructor; &valueOf;', '&constructor; &valueOf;'],
  [' \t Tabs\there \u0007bell ', 'Tabs here bell'],
  ['<b></b>', ''],
  ['', ''],
  ['\uD83D alone', '\uFFFD alone'],
])('the review %j becomes the note %j', (review, expectedNote) =>
  expect(toNoteText(review)).toBe(expectedNote),
)

it('a long review is cut to the maximum length of a note without splitting a character', () => {
  const note = toNoteText(`${'x'.repeat(MAX_NOTE_LENGTH - 1)}\u{1F600}\u{1F600}`)
  expect(note).toBe('x'.repeat(MAX_NOTE_LENGTH - 1))
})

it('a review with any character or character reference below U+0300 becomes a note that can be stored', () => {
  for (let characterCode = 0; characterCode < 0x300; characterCode += 1)
    expect(toNoteText(`a${String.fromCharCode(characterCode)}b&#${characterCode};c`)).toMatch(NOTE_PATTERN)
})
