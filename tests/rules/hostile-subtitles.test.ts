/** Subtitles that are made to stop the server or the player. */
import { expect, it } from 'vitest'
import { scaleAssDialogue } from '../../src/lib/rules/ass-style.ts'
import { convertToWebVtt } from '../../src/lib/rules/webvtt.ts'

/** Limit that is far above the time of a linear conversion, and far below the time of a quadratic conversion. */
const MAX_CONVERSION_MS = 5_000
const ASS_HEAD = `[Script Info]
[V4+ Styles]
Format: Name, Fontsize
Style: Default,20
[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
`
const createAssFile = (text: string) =>
  `${ASS_HEAD}Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,${text}\n`
const createSubRipFile = (text: string) => `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`

const convert = (content: string) => convertToWebVtt(new TextEncoder().encode(content))

it.each([
  ['opening braces in ASS', createAssFile('{'.repeat(300_000))],
  ['drawings without an end in ASS', createAssFile('{\\p1}'.repeat(60_000))],
  ['override blocks without an end in SubRip', createSubRipFile('{\\'.repeat(150_000))],
  ['tags without an end in SubRip', createSubRipFile('<a'.repeat(150_000))],
  [
    'names of fields in ASS',
    `${ASS_HEAD}Format: Start,End,${'x,'.repeat(100_000)}Text\n${'Dialogue: ,\n'.repeat(20_000)}`,
  ],
])('a file with very many %s is converted in linear time', (_content, content) => {
  const startedAtMs = performance.now()
  convert(content)
  scaleAssDialogue(content, 'large')
  expect(performance.now() - startedAtMs).toBeLessThan(MAX_CONVERSION_MS)
})

it.each([
  ['a{\\an8}b', 'ab'],
  ['{\\i1}la{\\i0} hi', '<i>la</i> hi'],
  ['{\\p1}m 0 0 l 1 1{\\p0}Sign', 'Sign'],
  ['before{\\i1\\p1}m 0 0{\\b1}l 1 1{\\p0\\i0}after', 'before</i>after'],
  ['{\\p1}a drawing without an end', undefined],
  ['{\\pos(1,2)}Sign', 'Sign'],
  ['a note {in braces', 'a note {in braces'],
  ['{outer{\\b1}bold', '<b>bold'],
])('the dialogue %j is converted to %j', (dialogueText, cueText) => {
  const cueLines = convert(createAssFile(dialogueText)).trim().split('\n').slice(3)
  expect(cueLines[0]).toBe(cueText)
})

it('the text between a less-than sign and the next tag is kept', () => {
  expect(convert(createSubRipFile('x<y and <i>z</i>'))).toContain('x&lt;y and <i>z</i>')
})
