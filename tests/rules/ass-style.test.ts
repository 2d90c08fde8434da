/** Sizes of styled subtitles (ASS), and detection of letters that the renderer's font lacks. */
import { describe, expect, test } from 'vitest'
import { createAssScript } from '../../scripts/test-subtitles.ts'
import { hasLettersWithoutFont, scaleAssDialogue } from '../../src/lib/rules/ass-style.ts'

const createScript = (...texts: string[]) =>
  createAssScript(texts.map((text) => ({ start: '0:00:01.00', end: '0:00:02.00', text })))
const listLinesOfKind = (script: string, kind: string) =>
  script.split('\n').filter((line) => line.startsWith(`${kind}:`))

describe('scaling the size of dialogue', () => {
  test('a subtitle script is not changed when the viewer selects the caption size "medium"', () => {
    const script = createScript('Hello')
    expect(scaleAssDialogue(script, 'medium')).toBe(script)
  })

  test('the font size and the outline are scaled in a copy of the style', () => {
    const scaledScript = scaleAssDialogue(createScript('Hello, world'), 'large')
    const styleLines = listLinesOfKind(scaledScript, 'Style')
    expect(styleLines).toHaveLength(2)
    expect(styleLines[0]).toContain('Default,Arial,32,')
    expect(styleLines[1]).toContain('Default (size),Arial,41.6,')
    expect(styleLines[1]).toContain(',1,2.6,0,2,')
    expect(listLinesOfKind(scaledScript, 'Dialogue')[0]).toBe(
      'Dialogue: 0,0:00:01.00,0:00:02.00,Default (size),,0,0,0,,Hello, world',
    )
  })

  test('a font size in override tags is scaled, but not a font width', () => {
    const [dialogueLine] = listLinesOfKind(
      scaleAssDialogue(createScript('{\\fs20\\fscx50\\rDefault\\rOther}Hi'), 'huge'),
      'Dialogue',
    )
    expect(dialogueLine).toContain('{\\fs34\\fscx50\\rDefault (size)\\rOther}Hi')
  })

  test.each([
    '{\\pos(320,40)}Sign',
    '{\\an8\\move(0,0,1,1)}Sign',
    '{\\p1}m 0 0 l 1 1',
    '{\\clip(0,0,1,1)}Sign',
  ])('dialogue with a position, a drawing or a clip is not scaled: %s', (dialogueText) => {
    const script = createScript(dialogueText)
    expect(listLinesOfKind(scaleAssDialogue(script, 'huge'), 'Dialogue')).toEqual(
      listLinesOfKind(script, 'Dialogue'),
    )
  })

  test('dialogue with an unknown style gets the scaled default style', () => {
    const script = createScript('Hello').replace(',Default,,', ',*Missing,,')
    expect(listLinesOfKind(scaleAssDialogue(script, 'small'), 'Dialogue')[0]).toContain(',Default (size),,')
  })

  test.each([
    '',
    'Dialogue:',
    'Style:',
    'Format:\nDialogue: a,b',
    'Dialogue: 0,{\\fs',
    '\0\n[Events]\nStyle: ,,,',
  ])('scaling the damaged script %j does not throw', (script) =>
    expect(typeof scaleAssDialogue(script, 'huge')).toBe('string'),
  )
})

test.each([
  ['Où est-il ? Ελλάδα Москва', false],
  ['مرحبا', true],
  ['こんにちは', true],
  ['♪ {\\i1}la{\\i0} — “…”', false],
])('for the dialogue "%s", hasLettersWithoutFont returns %s', (dialogueText, needsFont) => {
  expect(hasLettersWithoutFont(createScript(dialogueText))).toBe(needsFont)
})
