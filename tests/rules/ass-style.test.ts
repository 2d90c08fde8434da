/** Sizes of styled subtitles, and scripts whose letters the renderer's font lacks. */
import { describe, expect, test } from 'vitest'
import { createAssScript } from '../../scripts/test-subtitles.ts'
import { hasLettersWithoutFont, scaleAssDialogue } from '../../src/lib/rules/ass-style.ts'

const createScript = (...texts: string[]) =>
  createAssScript(texts.map((text) => ({ start: '0:00:01.00', end: '0:00:02.00', text })))
const getLines = (script: string, kind: string) =>
  script.split('\n').filter((line) => line.startsWith(`${kind}:`))

describe('the size of dialogue', () => {
  test('is unchanged when the viewer selects "medium"', () => {
    const script = createScript('Hello')
    expect(scaleAssDialogue(script, 'medium')).toBe(script)
  })

  test('is scaled in a copy of the style, together with its outline', () => {
    const scaled = scaleAssDialogue(createScript('Hello, world'), 'large')
    const styles = getLines(scaled, 'Style')
    expect(styles).toHaveLength(2)
    expect(styles[0]).toContain('Default,Arial,32,')
    expect(styles[1]).toContain('Default (size),Arial,41.6,')
    expect(styles[1]).toContain(',1,2.6,0,2,')
    expect(getLines(scaled, 'Dialogue')[0]).toBe(
      'Dialogue: 0,0:00:01.00,0:00:02.00,Default (size),,0,0,0,,Hello, world',
    )
  })

  test('is scaled in override tags of the size, but not of the width', () => {
    const [line] = getLines(
      scaleAssDialogue(createScript('{\\fs20\\fscx50\\rDefault\\rOther}Hi'), 'huge'),
      'Dialogue',
    )
    expect(line).toContain('{\\fs34\\fscx50\\rDefault (size)\\rOther}Hi')
  })

  test.each([
    '{\\pos(320,40)}Sign',
    '{\\an8\\move(0,0,1,1)}Sign',
    '{\\p1}m 0 0 l 1 1',
    '{\\clip(0,0,1,1)}Sign',
  ])('does not change for a line at a fixed position: %s', (text) => {
    const script = createScript(text)
    expect(getLines(scaleAssDialogue(script, 'huge'), 'Dialogue')).toEqual(getLines(script, 'Dialogue'))
  })

  test('is the size of the default style for a line with an unknown style', () => {
    const script = createScript('Hello').replace(',Default,,', ',*Missing,,')
    expect(getLines(scaleAssDialogue(script, 'small'), 'Dialogue')[0]).toContain(',Default (size),,')
  })

  test.each([
    '',
    'Dialogue:',
    'Style:',
    'Format:\nDialogue: a,b',
    'Dialogue: 0,{\\fs',
    '\0\n[Events]\nStyle: ,,,',
  ])('does not throw for the damaged script %j', (script) =>
    expect(typeof scaleAssDialogue(script, 'huge')).toBe('string'),
  )
})

test.each([
  ['Où est-il ? Ελλάδα Москва', false],
  ['مرحبا', true],
  ['こんにちは', true],
  ['♪ {\\i1}la{\\i0} — “…”', false],
])('whether the dialogue "%s" needs another font is %s', (text, needsFont) => {
  expect(hasLettersWithoutFont(createScript(text))).toBe(needsFont)
})
