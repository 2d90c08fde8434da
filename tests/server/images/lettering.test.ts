import { expect, test } from 'vitest'
import { drawImage } from '../../../server/images/draw-image.ts'
import { drawTitle, estimateWidth } from '../../../server/images/draw-title.ts'
import { chooseReadableColour, contrastRatio, findPalettes } from '../../../server/images/palette.ts'
import type { Lettering } from '../../../server/images/stage.ts'
import {
  escapeXml,
  graphemes,
  isRtl,
  sanitiseText,
  splitIntoWords,
} from '../../../server/images/title-text.ts'
import { balanceLines } from '../../../server/images/typeset-title.ts'
import { tagsOf } from './xml.ts'

const spec: Lettering = {
  box: [20, 200, 160, 80],
  face: 'grotesk',
  colour: '#ffffff',
  caps: true,
  track: 0.1,
}
const set = (title: string, lang = 'en', more: Partial<Lettering> = {}) =>
  drawTitle({ ...spec, ...more }, { title: sanitiseText(title), lang, small: '' }, 200)

test('lines are balanced: the widest is as narrow as possible', () => {
  const lines = balanceLines(splitIntoWords('The Good, the Bad and the Ugly', 'en'), 2, (text) => text.length)
  expect(lines.map((line) => line.text)).toEqual(['The Good, the', 'Bad and the Ugly'])
})

test('every line fits its box at its size', () => {
  for (const title of [
    'Up',
    'Everything We Never Said',
    'Mission: Impossible – Fallout',
    'الطيب والشرس والقبيح',
    '千と千尋の神隠し',
    'x'.repeat(80),
  ])
    for (const mode of ['block', 'stack'] as const) {
      const tags = tagsOf(`<svg>${set(title, 'en', { mode, track: 0, caps: false })}</svg>`).filter(
        (tag) => tag.name === 'text',
      )
      expect(tags.length).toBeGreaterThan(0)
      const texts = [
        ...set(title, 'en', { mode, track: 0, caps: false }).matchAll(
          /<text[^>]*font-size="([\d.]+)"[^>]*>([^<]*)</g,
        ),
      ]
      for (const [, size, text] of texts)
        expect(estimateWidth(text!, 'grotesk') * Number(size)).toBeLessThan(163)
    }
})

test('Arabic runs from the right, is not spaced out and not pinned', () => {
  const svg = set('باب الحديد', 'ar', { align: 'start' })
  expect(svg).toContain('direction="rtl"')
  expect(svg).toContain('Noto Sans Arabic')
  expect(svg).not.toMatch(/letter-spacing|textLength/)
  expect(svg).toMatch(/<text x="180"/)
})

test('capitals follow the language, and a nonsense language does not throw', () => {
  expect(set('istanbul', 'tr')).toContain('İSTANBUL')
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

test('hostile titles: nothing that orders, hides or opens anything gets through', () => {
  const hostile =
    '</text><script>alert(1)</script>\u202eevil\u2066\u0000\u001b\u200b\ufeff\ud800]]>&amp;"\'\n\u2028'
  const svg = drawImage({
    kind: 'poster',
    width: 200,
    seed: 'a',
    title: hostile,
    lang: 'en',
    originalTitle: hostile,
    genres: [27],
    type: 'movie',
  })
  expect(tagsOf(svg).some((tag) => tag.name === 'script')).toBe(false)
  expect(svg).not.toMatch(/\p{C}|\u2028/u)
})

test('a tower of marks becomes four, a title of 300 graphemes becomes 84', () => {
  expect(sanitiseText(`Z${'\u0301'.repeat(500)}`).length).toBeLessThanOrEqual(5)
  expect(graphemes(sanitiseText('a'.repeat(300)))).toHaveLength(84)
  expect(sanitiseText('word '.repeat(90))).toMatch(/word…$/)
})

test('family emoji and Persian joiners survive', () => {
  expect(sanitiseText('👩‍👩‍👧')).toBe('👩‍👩‍👧')
  expect(sanitiseText('می\u200cخواهم')).toBe('می\u200cخواهم')
})

test('direction is that of the first letter', () => {
  expect(isRtl('2001: أوديسا الفضاء')).toBe(true)
  expect(isRtl('WALL·E وال-إي')).toBe(false)
  expect(isRtl('')).toBe(false)
})

test('a line may break inside Chinese and Japanese, not before punctuation', () => {
  const pieces = splitIntoWords('千と千尋の神隠し。', 'ja')
  expect(pieces.length).toBeGreaterThan(2)
  expect(pieces.every((piece) => !piece.text.startsWith('。'))).toBe(true)
})

test('escaping leaves no markup', () => {
  expect(escapeXml('<a href="x">&\'')).toBe('&#60;a href=&#34;x&#34;&#62;&#38;&#39;')
})

test('palettes run from dark to light, and letters find contrast on every colour', () => {
  for (const genre of [878, 28, 12, 53, 9648, 35, 80, 14, 27, 18, 10749, 16, 10751, 36, 99, 37])
    for (const c of findPalettes(genre)) {
      for (const colour of Object.values(c)) expect(colour).toMatch(/^#[0-9a-f]{6}$/)
      expect(contrastRatio(c.ink, c.pale)).toBeGreaterThan(10)
      for (const ground of Object.values(c))
        expect(contrastRatio(ground, chooseReadableColour(ground, c.ink, c.pale))).toBeGreaterThan(3.2)
    }
})

test('the tails of an Arabic title end above the small line', () => {
  for (const title of ['رأس المال البشري', 'ليلة', 'سيد الخواتم: رفقة الخاتم']) {
    for (const valign of ['top', 'middle', 'bottom'] as const) {
      const text = { title, lang: 'ar', small: '1999' }
      const drawn = drawTitle({ ...spec, valign, small: '#ffffff' }, text, 200)
      const lines = tagsOf(`<svg>${drawn}</svg>`).filter((tag) => tag.name === 'text')
      const [last, small] = lines.slice(-2).map(({ attributes: { y, 'font-size': size } }) => ({
        y: Number(y),
        size: Number(size),
      }))
      /* Yeh and its kin hang 0.4 em below their line; the small line's figures stand 0.75 em above theirs. */
      expect((last?.y ?? 0) + (last?.size ?? 0) * 0.4).toBeLessThan(
        (small?.y ?? 0) - (small?.size ?? 0) * 0.72,
      )
      expect(small?.y).toBeLessThan(287)
    }
  }
})
