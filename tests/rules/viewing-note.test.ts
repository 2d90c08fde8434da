/** Text that a viewer writes or pastes becomes a note that the server accepts. */
import { expect, it } from 'vitest'
import { NOTE_PATTERN, toPlainNote } from '../../src/lib/rules/viewing-note.ts'

it.each([
  ['Act 1:\tgreat', 'Act 1: great'],
  ['One.\r\n\r\nTwo.\rThree.', 'One.\n\nTwo.\nThree.'],
  [' \t Bell\u0007 and\u0000 end \n', 'Bell and end'],
  ['\uD83D alone, \u{1F600} together', 'alone, \u{1F600} together'],
  ['\t\n', ''],
  ['\u200b\n\u2060\u3164', ''],
  ['\u0645\u06cc\u200c\u062e\u0648', '\u0645\u06cc\u200c\u062e\u0648'],
])('the written text %j becomes the note %j', (writtenText, note) => {
  expect(toPlainNote(writtenText)).toBe(note)
})

it('a text with any character below U+0300 becomes a note that can be stored', () => {
  for (let characterCode = 0; characterCode < 0x300; characterCode += 1)
    expect(toPlainNote(`a${String.fromCharCode(characterCode)}b`)).toMatch(NOTE_PATTERN)
})
