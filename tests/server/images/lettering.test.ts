import { expect, test } from 'vitest'
import { escapeMarkup } from '../../../server/core/escape-markup.ts'
import { drawImage } from '../../../server/images/draw-image.ts'
import { drawTitle, estimateWidth } from '../../../server/images/draw-title.ts'
import { chooseReadableColour, computeContrastRatio, findPalettes } from '../../../server/images/palette.ts'
import type { TitleLettering } from '../../../server/images/stage.ts'
import { isRtl, sanitiseText, splitGraphemes, splitTitleWords } from '../../../server/images/title-text.ts'
import { balanceLines } from '../../../server/images/typeset-title.ts'
import { parseXmlTags } from './xml.ts'

const baseLettering: TitleLettering = {
  box: [20, 200, 160, 80],
  typeface: 'grotesk',
  colour: '#ffffff',
  isUppercase: true,
  letterSpacingEm: 0.1,
}
const drawSampleTitle = (title: string, lang = 'en', overrides: Partial<TitleLettering> = {}) =>
  drawTitle({ ...baseLettering, ...overrides }, { title: sanitiseText(title), lang, subtitle: '' }, 200)

test('line breaks make the widest line as narrow as possible', () => {
  const lines = balanceLines(
    splitTitleWords('The Good, the Bad and the Ugly', 'en'),
    2,
    (text) => text.length,
  )
  expect(lines.map((line) => line.text)).toEqual(['The Good, the', 'Bad and the Ugly'])
})

test('every line fits the width of its box', () => {
  for (const title of [
    'Up',
    'Everything We Never Said',
    'Mission: Impossible – Fallout',
    'الطيب والشرس والقبيح',
    '千と千尋の神隠し',
    'x'.repeat(80),
  ])
    for (const layout of ['block', 'stack'] as const) {
      const titleSvg = drawSampleTitle(title, 'en', { layout, letterSpacingEm: 0, isUppercase: false })
      const tags = parseXmlTags(`<svg>${titleSvg}</svg>`).filter((tag) => tag.name === 'text')
      expect(tags.length).toBeGreaterThan(0)
      const textMatches = [...titleSvg.matchAll(/<text[^>]*font-size="([\d.]+)"[^>]*>([^<]*)</g)]
      expect(textMatches).toHaveLength(tags.length)
      for (const [, fontSize, lineText] of textMatches)
        expect(estimateWidth(lineText!, 'grotesk') * Number(fontSize)).toBeLessThan(163)
    }
})

// Widths in em, measured with HarfBuzz in the bold style of the first font of each stack.
test.each([
  ['حب', 'didone', 1.466],
  ['حب', 'grotesk', 1.771],
  ['صوت صامت', 'didone', 4.683],
  ['صوت صامت', 'grotesk', 5.798],
  ['هي', 'heavy', 1.893],
  ['فوق', 'heavy', 2.269],
] as const)(
  'the estimated width of %s in the typeface %s is at least the measured width',
  (text, typeface, measuredWidthEm) => {
    expect(estimateWidth(text, typeface)).toBeGreaterThanOrEqual(measuredWidthEm)
    expect(estimateWidth(text, typeface)).toBeLessThan(measuredWidthEm * 1.3)
  },
)

test.each([
  ['a space', ' ', estimateWidth(' ', 'grotesk')],
  ['a digit', '2', estimateWidth('2', 'grotesk')],
  ['a zero-width non-joiner', '\u200c', 0],
])('an Arabic letter before %s is as wide as at the end of the text', (_, separator, separatorWidthEm) => {
  const finalFormWidthEm = estimateWidth('ب', 'grotesk')
  expect(estimateWidth(`ب${separator}ب`, 'grotesk')).toBeCloseTo(2 * finalFormWidthEm + separatorWidthEm)
  expect(estimateWidth('بب', 'grotesk')).toBeLessThan(1.5 * finalFormWidthEm)
})

test('Arabic text starts at the right edge, without letter spacing or textLength', () => {
  const svg = drawSampleTitle('باب الحديد', 'ar', { align: 'start' })
  expect(svg).toContain('direction="rtl"')
  expect(svg).toContain('Noto Sans Arabic')
  expect(svg).not.toMatch(/letter-spacing|textLength/)
  expect(svg).toMatch(/<text x="180"/)
})

test('a title is converted to upper case by the rules of its language, and an invalid language code is ignored', () => {
  expect(drawSampleTitle('istanbul', 'tr')).toContain('İSTANBUL')
  expect(
    drawImage({
      kind: 'poster',
      width: 200,
      seed: 'a',
      title: 'x',
      lang: '"><script>',
      genres: [],
      type: 'tv',
    }),
  ).not.toContain('script')
})

test('markup, control and direction characters in a title are escaped or removed', () => {
  const maliciousTitle =
    '</text><script>alert(1)</script>\u202eevil\u2066\u0000\u001b\u200b\ufeff\ud800]]>&amp;"\'\n\u2028'
  const svg = drawImage({
    kind: 'poster',
    width: 200,
    seed: 'a',
    title: maliciousTitle,
    lang: 'en',
    originalTitle: maliciousTitle,
    genres: [27],
    type: 'movie',
  })
  expect(parseXmlTags(svg).some((tag) => tag.name === 'script')).toBe(false)
  expect(svg).not.toMatch(/\p{C}|\u2028/u)
})

test('a letter keeps at most four combining marks, and a title is shortened to 84 graphemes', () => {
  expect(sanitiseText(`Z${'\u0301'.repeat(500)}`).length).toBeLessThanOrEqual(5)
  expect(splitGraphemes(sanitiseText('a'.repeat(300)))).toHaveLength(84)
  expect(sanitiseText('word '.repeat(90))).toMatch(/word…$/)
})

test('emoji sequences and Persian zero-width non-joiners are kept', () => {
  expect(sanitiseText('👩‍👩‍👧')).toBe('👩‍👩‍👧')
  expect(sanitiseText('می\u200cخواهم')).toBe('می\u200cخواهم')
})

test('the text direction is the direction of the first letter', () => {
  expect(isRtl('2001: أوديسا الفضاء')).toBe(true)
  expect(isRtl('WALL·E وال-إي')).toBe(false)
  expect(isRtl('')).toBe(false)
})

test('Japanese text may break between words but not before punctuation', () => {
  const words = splitTitleWords('千と千尋の神隠し。', 'ja')
  expect(words.length).toBeGreaterThan(2)
  expect(words.every((word) => !word.text.startsWith('。'))).toBe(true)
})

test('escapeMarkup escapes all markup characters', () => {
  expect(escapeMarkup('<a href="x">&\'')).toBe('&#60;a href=&#34;x&#34;&#62;&#38;&#39;')
})

test('every palette has a high contrast between `ink` and `pale`, and a readable text colour on each of its colours', () => {
  for (const genre of [878, 28, 12, 53, 9648, 35, 80, 14, 27, 18, 10749, 16, 10751, 36, 99, 37])
    for (const palette of findPalettes(genre)) {
      for (const colour of Object.values(palette)) expect(colour).toMatch(/^#[0-9a-f]{6}$/)
      expect(computeContrastRatio(palette.ink, palette.pale)).toBeGreaterThan(10)
      for (const background of Object.values(palette))
        expect(
          computeContrastRatio(background, chooseReadableColour(background, palette.ink, palette.pale)),
        ).toBeGreaterThan(3.2)
    }
})

test('the descenders of an Arabic title end above the line of small text below the title', () => {
  for (const title of ['رأس المال البشري', 'ليلة', 'سيد الخواتم: رفقة الخاتم']) {
    for (const valign of ['top', 'middle', 'bottom'] as const) {
      const titleTexts = { title, lang: 'ar', subtitle: '1999' }
      const svg = drawTitle({ ...baseLettering, valign, subtitleColour: '#ffffff' }, titleTexts, 200)
      const lines = parseXmlTags(`<svg>${svg}</svg>`).filter((tag) => tag.name === 'text')
      const [lastLine, smallLine] = lines.slice(-2).map(({ attributes: { y, 'font-size': size } }) => ({
        y: Number(y),
        size: Number(size),
      }))
      /* Arabic descenders reach 0.4 em below the baseline. Digits reach 0.72 em above the small line's baseline. */
      expect((lastLine?.y ?? 0) + (lastLine?.size ?? 0) * 0.4).toBeLessThan(
        (smallLine?.y ?? 0) - (smallLine?.size ?? 0) * 0.72,
      )
      expect(smallLine?.y).toBeLessThan(287)
    }
  }
})
