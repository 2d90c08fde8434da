/** Subtitles beside a film: their names, their encodings, and SubRip turned into WebVTT. */
import { describe, expect, test } from 'vitest'
import { formatSubtitleLabel, parseSubtitleName } from '../../../server/providers/library/subtitle-name.ts'
import { decodeText } from '../../../server/providers/library/text-encoding.ts'
import { convertToWebVtt } from '../../../server/providers/library/webvtt.ts'

describe('names', () => {
  test.each([
    ['', 'und', ''],
    ['en', 'en', ''],
    ['eng', 'en', ''],
    ['English', 'en', ''],
    ['fr.forced', 'fr', 'forced'],
    ['fre', 'fr', ''],
    ['Français', 'fr', ''],
    ['en.sdh', 'en', 'sdh'],
    ['en.cc', 'en', 'sdh'],
    ['en.hi', 'en', 'sdh'],
    ['hi', 'hi', ''],
    ['pt-BR', 'pt-BR', ''],
    ['pt_br', 'pt-BR', ''],
    ['Brazilian', 'pt-BR', ''],
    ['2_English', 'en', ''],
    ['12_ara', 'ar', ''],
    ['العربية', 'ar', ''],
    ['zh-Hant', 'zh-Hant', ''],
    ['chi', 'zh', ''],
    ['default.de', 'de', ''],
    ['de.default', 'de', ''],
    ['es.latino', 'es', ''],
    ['Norwegian', 'no', ''],
    ['SDH.eng.HI', 'en', 'sdh'],
  ])('"%s" is %s %s', (name, lang, kind) => {
    const found = parseSubtitleName(name)
    expect(found).toEqual({ lang, forced: kind === 'forced', sdh: kind === 'sdh' })
  })

  test('are shown as the language calls itself', () => {
    const label = (lang: string, more = {}) =>
      formatSubtitleLabel({ lang, forced: false, sdh: false, ...more })
    expect(label('fr')).toBe('Français')
    expect(label('ar')).toBe('العربية')
    expect(label('en', { sdh: true })).toBe('English (SDH)')
    expect(label('en', { forced: true })).toBe('English (forced)')
  })
})

const TEXT = '1\n00:00:01,000 --> 00:00:02,500\nÇa alors, 5 €, déjà\n'

describe('encodings', () => {
  const utf16 = (text: string, big: boolean) => {
    const bytes = Buffer.from(text, 'utf16le')
    return big ? bytes.swap16() : bytes
  }
  const latin = Buffer.from(TEXT.replace('€', '\x80'), 'latin1')
  test.each([
    ['utf-8', Buffer.from(TEXT)],
    ['utf-8 with a mark', Buffer.from(`\ufeff${TEXT}`)],
    ['utf-16le with a mark', utf16(`\ufeff${TEXT}`, false)],
    ['utf-16be with a mark', utf16(`\ufeff${TEXT}`, true)],
    ['utf-16le', utf16(TEXT, false)],
    ['utf-16be', utf16(TEXT, true)],
    ['windows-1252', latin],
  ])('%s', (_name, bytes) => {
    expect(decodeText(bytes).replace(/^\ufeff/, '')).toBe(TEXT)
  })
  test('an Arabic file that is not UTF-8 is Windows-1256', () => {
    expect(decodeText(Buffer.from([0xe3, 0xd1, 0xcd, 0xc8, 0xc7]), 'ar')).toBe('مرحبا')
  })
})

describe('SubRip', () => {
  const cues = (text: string) => convertToWebVtt(Buffer.from(text)).replace(/^WEBVTT\n\n/, '')
  test('becomes WebVTT', () => {
    expect(convertToWebVtt(Buffer.from(TEXT))).toBe(
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nÇa alors, 5 €, déjà\n',
    )
  })
  test('of Windows line ends, several lines and cues', () => {
    expect(
      cues(
        '1\r\n00:00:01,000 --> 00:00:02,000\r\nOne\r\nTwo\r\n\r\n2\r\n01:00:03,5 --> 01:00:04\r\nThree\r\n',
      ),
    ).toBe('00:00:01.000 --> 00:00:02.000\nOne\nTwo\n\n01:00:03.500 --> 01:00:04.000\nThree\n')
  })
  test('keeps bold, italics and underline; drops fonts and drawing; a text stays a text', () => {
    expect(
      cues('1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<i>A</i> <font color="#fff">B</font> a < b & c --> d\n'),
    ).toBe('00:00:01.000 --> 00:00:02.000 line:0\n<i>A</i> B a &lt; b &amp; c --&gt; d\n')
  })
  test('without numbers or blank lines between', () => {
    expect(cues('00:00:01,000 --> 00:00:02,000\nA\n\n00:00:03,000 --> 00:00:04,000\nB')).toBe(
      '00:00:01.000 --> 00:00:02.000\nA\n\n00:00:03.000 --> 00:00:04.000\nB\n',
    )
    expect(cues('1\n00:00:01,000 --> 00:00:02,000\n1984\n\n2\n00:00:03,000 --> 00:00:04,000\n42\n')).toBe(
      '00:00:01.000 --> 00:00:02.000\n1984\n\n00:00:03.000 --> 00:00:04.000\n42\n',
    )
  })
  test('scripts cannot be smuggled in, cues that end before they start are left out', () => {
    expect(cues('1\n00:00:01,000 --> 00:00:02,000\n<script>x</script><img src=x>\n')).toBe(
      '00:00:01.000 --> 00:00:02.000\nx\n',
    )
    expect(cues('1\n00:00:05,000 --> 00:00:02,000\nA\n')).toBe('')
    expect(cues('no subtitles at all')).toBe('')
  })
  test('WebVTT stays as it is', () => {
    const vtt = 'WEBVTT - Sintel\n\nNOTE x\n\n00:01.000 --> 00:02.000 align:start\n<v A>B\n'
    expect(convertToWebVtt(Buffer.from(`\ufeff${vtt.replaceAll('\n', '\r\n')}`))).toBe(vtt)
  })
})
