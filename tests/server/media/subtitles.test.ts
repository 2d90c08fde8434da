/** Subtitle files next to a video: file names, text encodings, and the conversion of SubRip, ASS and SSA to WebVTT. */
import { describe, expect, test } from 'vitest'
import type { FolderTree } from '../../../server/providers/library/folder-tree.ts'
import { findSubtitleFiles } from '../../../server/providers/library/subtitle-files.ts'
import {
  formatSubtitleLabel,
  getLanguageWords,
  parseSubtitleLanguage,
  parseSubtitleName,
} from '../../../server/providers/library/subtitle-name.ts'
import { decodeText } from '../../../src/lib/rules/text-encoding.ts'
import { convertToWebVtt, hasCues } from '../../../src/lib/rules/webvtt.ts'

describe('subtitle file names', () => {
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
    ['hi.en', 'en', 'sdh'],
    ['HI.forced.eng', 'en', 'forced sdh'],
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
    ['es-419', 'es-419', ''],
    ['es-419.forced', 'es-419', 'forced'],
    ['en.419', 'en', ''],
    ['Norwegian', 'no', ''],
    ['SDH.eng.HI', 'en', 'sdh'],
    ['en.forced.sdh', 'en', 'forced sdh'],
    ['fr.forcés', 'fr', 'forced'],
    ['Brute Force', 'und', ''],
    ['fr-CA', 'fr-CA', ''],
    ['vfq', 'fr-CA', ''],
    ['eng,English [SDH]', 'en', 'sdh'],
    ['English (SDH)', 'en', 'sdh'],
    ['Portuguese (Brazil)', 'pt-BR', ''],
    ['Brazilian Portuguese', 'pt-BR', ''],
    ['Spanish (Latin American)', 'es-419', ''],
    ['Chinese (Traditional)', 'zh-Hant', ''],
    ['jp', 'ja', ''],
    ['عربي', 'ar', ''],
    ['الفرنسية', 'fr', ''],
    ['anglais', 'en', ''],
    ['Inglés', 'en', ''],
    ['iw', 'he', ''],
    ['简体', 'zh-Hans', ''],
    ['繁體', 'zh-Hant', ''],
    ['tc', 'zh-Hant', ''],
    ['chs&eng', 'zh-Hans', ''],
    ['Español (Latinoamérica)', 'es-419', ''],
    ['spa-la', 'es-419', ''],
    ['Canadian.fre', 'fr-CA', ''],
    ['constructor', 'und', ''],
    ['constructor.fr', 'fr', ''],
  ])('the name "%s" is read as language %s of kind "%s"', (name, lang, kind) => {
    const parsedName = parseSubtitleName(name)
    expect(parsedName).toEqual({ lang, forced: kind.includes('forced'), sdh: kind.includes('sdh') })
  })

  test.each([
    ['2_English', 'English'],
    ['Lost Film English (SDH)', 'English.(SDH)'],
    ['Portuguese (Brazil)', 'Portuguese.(Brazil)'],
    ['3 Brazilian Portuguese', 'Brazilian.Portuguese'],
    ['Lost Film en.forced', 'en.forced'],
    ['Brazilian.por', 'Brazilian.por'],
    ['Latin American.spa', 'Latin.American.spa'],
    ['Forced.eng', 'Forced.eng'],
    ['The American Letter', 'Letter'],
    ['This Is It', 'It'],
    ['This Is It (2009)', '(2009)'],
  ])(
    'for the name "%s", getLanguageWords returns "%s", the last words that may state a language',
    (name, words) => {
      expect(getLanguageWords(name)).toBe(words)
    },
  )

  test.each([
    ['kaz', 'kk'],
    ['wel', 'cy'],
    ['cym', 'cy'],
    ['bur', 'my'],
    ['mya', 'my'],
    ['epo', 'eo'],
    ['nep', 'ne'],
  ])('the three-letter code %s is read as language %s', (threeLetterCode, lang) => {
    expect(parseSubtitleLanguage(threeLetterCode)).toBe(lang)
    expect(parseSubtitleName(`2_${threeLetterCode}`).lang).toBe(lang)
  })

  test('every supported two-letter language code also has a three-letter code', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz']
    const twoLetterCodes = letters.flatMap((firstLetter) =>
      letters.map((secondLetter) => firstLetter + secondLetter),
    )
    const threeLetterCodes = twoLetterCodes.flatMap((code) => letters.map((letter) => code + letter))
    const supportedCodes = twoLetterCodes.filter((code) => parseSubtitleLanguage(code) === code)
    const codesWithThreeLetters = new Set(threeLetterCodes.map(parseSubtitleLanguage))
    expect(supportedCodes).toContain('kk')
    expect(supportedCodes.filter((code) => !codesWithThreeLetters.has(code))).toEqual([])
  })

  test('subtitles are labelled with the language’s own name and the kind', () => {
    const formatLabel = (lang: string, flags = {}) =>
      formatSubtitleLabel({ lang, forced: false, sdh: false, ...flags })
    expect(formatLabel('fr')).toBe('Français')
    expect(formatLabel('ar')).toBe('العربية')
    expect(formatLabel('en', { sdh: true })).toBe('English (SDH)')
    expect(formatLabel('en', { forced: true })).toBe('English (forced)')
  })
})

describe('subtitle files of a video', () => {
  const createTree = (filesByFolder: Record<string, string[]>): FolderTree =>
    new Map(
      Object.entries(filesByFolder).map(([path, files]) => [
        path,
        {
          files,
          folders: Object.keys(filesByFolder)
            .filter((otherPath) => otherPath.startsWith(`${path}/`))
            .map((otherPath) => otherPath.slice(path.length + 1)),
          isHlsStream: false,
          device: 1,
          inode: 1,
          unusableNameCount: 0,
        },
      ]),
    )
  const listPaths = (filesByFolder: Record<string, string[]>, videoPath: string) =>
    findSubtitleFiles(createTree(filesByFolder), videoPath).map(({ path, lang }) => [path, lang])

  test.each(['Heat (1995)-trailer.mp4', 'sample.mkv', 'Heat (1995) - Making of.mkv'])(
    'subtitles that are named only after a language belong to the movie, even if the extra "%s" is in the same folder',
    (extraName) => {
      const filesByFolder = {
        'Heat (1995)': ['Heat (1995).mkv', 'English.srt', extraName, 'movie.nfo'].sort(),
        'Heat (1995)/Subs': ['2_French.srt'],
      }
      expect(listPaths(filesByFolder, 'Heat (1995)/Heat (1995).mkv')).toEqual([
        ['Heat (1995)/English.srt', 'en'],
        ['Heat (1995)/Subs/2_French.srt', 'fr'],
      ])
    },
  )

  test('a movie does not have the subtitles of an extra, and an extra does not have the subtitles of the movie', () => {
    const filesByFolder = {
      'Heat (1995)': [
        'English.srt',
        'Heat (1995)-trailer.fr.srt',
        'Heat (1995)-trailer.mp4',
        'Heat (1995).mkv',
      ],
    }
    expect(listPaths(filesByFolder, 'Heat (1995)/Heat (1995).mkv')).toEqual([
      ['Heat (1995)/English.srt', 'en'],
    ])
    expect(listPaths(filesByFolder, 'Heat (1995)/Heat (1995)-trailer.mp4')).toEqual([
      ['Heat (1995)/Heat (1995)-trailer.fr.srt', 'fr'],
    ])
  })

  test.each([
    ['Amélie.mkv', 'Amélie.fr.srt'],
    ['Amélie (2001) - 1080p.mkv', 'Amélie (2001).fr.srt'],
  ])(
    'the subtitle of the video "%s" is found when accents are decomposed in only one of the two file names',
    (videoName, subtitleName) => {
      const otherVideo = 'Heat (1995).mkv'
      for (const [videoForm, subtitleForm] of [
        ['NFC', 'NFD'],
        ['NFD', 'NFC'],
      ] as const) {
        const files = [videoName.normalize(videoForm), subtitleName.normalize(subtitleForm), otherVideo]
        expect(listPaths({ Films: files }, `Films/${files[0]}`)).toEqual([[`Films/${files[1]}`, 'fr']])
      }
    },
  )

  test.each([
    ['Dark - S01E01', '_en', 'en'],
    ['Dark - S01E01', '-eng', 'en'],
    ['Dark - S01E01', ' French', 'fr'],
    ['Dark - S01E01', ' (forced) fr', 'fr'],
    ['Dark - S01E01', '[pt-BR]', 'pt-BR'],
    ['Heat (1995)', '_fr.forced', 'fr'],
    ['Heat (1995) - 1080p', '-ar', 'ar'],
  ])(
    'the subtitle of the video "%s" is found when the subtitle has the file name of the video followed by "%s"',
    (stem, suffix, lang) => {
      const files = [`${stem}.mkv`, `${stem}${suffix}.srt`, 'Other (2001).mkv']
      expect(listPaths({ Films: files }, `Films/${stem}.mkv`)).toEqual([[`Films/${stem}${suffix}.srt`, lang]])
    },
  )

  test.each([
    ['Dark - S01E01', 'Dark - S01E01-E02.en'],
    ['Dark - S01E01', 'Dark - S01E01 - The French Letter'],
    ['Dark - S01E1', 'Dark - S01E11_en'],
    ['This Is', 'This Is It'],
  ])('the video "%s" does not have the subtitle "%s"', (stem, subtitleStem) => {
    const files = [`${stem}.mkv`, `${subtitleStem}.srt`, 'Other (2001).mkv']
    expect(listPaths({ Films: files }, `Films/${stem}.mkv`)).toEqual([])
  })

  test('a subtitle named only after a language belongs to no video when two videos are in its folder', () => {
    const filesByFolder = { Films: ['Alien (1979).mkv', 'English.srt', 'Heat (1995).mkv'] }
    expect(listPaths(filesByFolder, 'Films/Heat (1995).mkv')).toEqual([])
  })
})

describe('subtitle files with other names than the video', () => {
  const createTreeFromPaths = (paths: string[]): FolderTree => {
    const folderPaths = [...new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/'))))]
    return new Map(
      folderPaths.map((folderPath) => [
        folderPath,
        {
          files: paths
            .filter((path) => path.slice(0, path.lastIndexOf('/')) === folderPath)
            .map((path) => path.slice(folderPath.length + 1)),
          folders: folderPaths
            .filter((path) => path.slice(0, path.lastIndexOf('/')) === folderPath)
            .map((path) => path.slice(folderPath.length + 1)),
          isHlsStream: false,
          device: 1,
          inode: 1,
          unusableNameCount: 0,
        },
      ]),
    )
  }
  const findLanguagesByPath = (paths: string[], videoPath: string) =>
    Object.fromEntries(
      findSubtitleFiles(createTreeFromPaths(paths), videoPath).map(({ path, lang, forced }) => [
        path,
        forced ? `${lang} forced` : lang,
      ]),
    )

  test('an episode has the subtitles with its season and episode numbers, including those in the folder of a language', () => {
    const paths = [
      'Show/Show.S01E02.1080p.mkv',
      'Show/Show.S01E03.1080p.mkv',
      'Show/Show - 1x02.ar.srt',
      'Show/Show - 1x03.ar.srt',
      'Show/Other - 1x02.ar.srt',
      'Show/S01E02.it.srt',
      'Show/Subs/English/Show.S01E02.srt',
      'Show/Subs/English/Show.S01E03.srt',
      'Show/Sous-titres/Show.S01E02.fr.srt',
    ]
    // createTreeFromPaths creates only the folders that directly contain a file. With this file, the function also
    // creates Show/Subs.
    const placeholderPath = 'Show/Subs/.keep'
    expect(findLanguagesByPath([...paths, placeholderPath], 'Show/Show.S01E02.1080p.mkv')).toEqual({
      'Show/Show - 1x02.ar.srt': 'ar',
      'Show/S01E02.it.srt': 'it',
      'Show/Subs/English/Show.S01E02.srt': 'en',
      'Show/Sous-titres/Show.S01E02.fr.srt': 'fr',
    })
  })

  test('each version of a movie has the subtitles that are named only after a language, but not those of another version', () => {
    const paths = [
      'Heat (1995)/Heat (1995) - 1080p.mkv',
      'Heat (1995)/Heat (1995) - 4K.mkv',
      'Heat (1995)/Heat (1995) - 4K.de.srt',
      'Heat (1995)/English.srt',
      'Heat (1995)/Subs/Forced.eng.srt',
      'Heat (1995)/Subs/Brazilian.por.srt',
      'Heat (1995)/Subti\u0301tulos/1_Spanish.srt',
      'Heat (1995)/Subs/French/1.srt',
    ]
    const sharedSubtitles = {
      'Heat (1995)/English.srt': 'en',
      'Heat (1995)/Subs/Forced.eng.srt': 'en forced',
      'Heat (1995)/Subs/Brazilian.por.srt': 'pt-BR',
      'Heat (1995)/Subti\u0301tulos/1_Spanish.srt': 'es',
      'Heat (1995)/Subs/French/1.srt': 'fr',
    }
    expect(findLanguagesByPath(paths, 'Heat (1995)/Heat (1995) - 1080p.mkv')).toEqual(sharedSubtitles)
    expect(findLanguagesByPath(paths, 'Heat (1995)/Heat (1995) - 4K.mkv')).toEqual({
      ...sharedSubtitles,
      'Heat (1995)/Heat (1995) - 4K.de.srt': 'de',
    })
  })
})

const SUBRIP_TEXT = '1\n00:00:01,000 --> 00:00:02,500\nÇa alors, 5 €, déjà\n'

describe('text encodings', () => {
  const encodeUtf16 = (text: string, isBigEndian: boolean) => {
    const bytes = Buffer.from(text, 'utf16le')
    return isBigEndian ? bytes.swap16() : bytes
  }
  const windows1252Bytes = Buffer.from(SUBRIP_TEXT.replace('€', '\x80'), 'latin1')
  test.each([
    ['utf-8', Buffer.from(SUBRIP_TEXT)],
    ['utf-8 with a byte order mark', Buffer.from(`\ufeff${SUBRIP_TEXT}`)],
    ['utf-16le with a byte order mark', encodeUtf16(`\ufeff${SUBRIP_TEXT}`, false)],
    ['utf-16be with a byte order mark', encodeUtf16(`\ufeff${SUBRIP_TEXT}`, true)],
    ['utf-16le', encodeUtf16(SUBRIP_TEXT, false)],
    ['utf-16be', encodeUtf16(SUBRIP_TEXT, true)],
    ['windows-1252', windows1252Bytes],
  ])('a text in the encoding %s is decoded', (_name, bytes) => {
    expect(decodeText(bytes).replace(/^\ufeff/, '')).toBe(SUBRIP_TEXT)
  })
  test('an Arabic file that is not UTF-8 is decoded as Windows-1256', () => {
    expect(decodeText(Buffer.from([0xe3, 0xd1, 0xcd, 0xc8, 0xc7]), 'ar')).toBe('مرحبا')
  })
  test.each([
    ['Arabic', 'مرحبا كيف حالك', undefined],
    ['Arabic', 'مرحبا كيف حالك', 'ar'],
    ['French', 'Ça va très bien, déjà l’été', 'fr'],
  ])('%s text in UTF-8 that ends with an invalid byte is decoded as UTF-8', (_name, text, lang) => {
    const bytes = Buffer.concat([Buffer.from(text), Buffer.from([0xe9])])
    expect(decodeText(bytes, lang)).toBe(`${text}\ufffd`)
  })
  test.each([
    ['zh-CN', '你好', 'c4e3bac3'],
    ['zh-Hans', '你好', 'c4e3bac3'],
    ['zh-TW', '你好', 'a741a66e'],
    ['zh-Hant', '你好', 'a741a66e'],
    ['zh-HK', '你好', 'a741a66e'],
    ['sv', 'Åååå', 'c5e5e5e5'],
    ['pt-BR', 'ãéõ', 'e3e9f5'],
  ])('a text in the legacy code page of the language %s is decoded', (lang, text, hex) => {
    expect(decodeText(Buffer.from(hex, 'hex'), lang)).toBe(text)
  })
  test.each([
    ['Windows-1256', 'مرحبا، كيف حالك اليوم؟', 'e3d1cdc8c7a120dfedDD20cdc7e1df20c7e1edE6E3BF'],
    [
      'Windows-1256',
      'Subtitles by Somebody Else\nمرحبا',
      '5375627469746c657320627920536f6d65626f647920456c73650ae3d1cdc8c7',
    ],
    ['Windows-1251', 'Привет, как дела сегодня?', 'cff0e8e2e5f22c20eae0ea20e4e5ebe020f1e5e3eee4edff3f'],
    ['Windows-1252', 'Déjà l’été', '44e96ae0206c92e974e9'],
  ])('the encoding %s is guessed when the language of a text is not known', (_name, expectedText, hex) => {
    expect(decodeText(Buffer.from(hex, 'hex'))).toBe(expectedText)
  })
})

describe('SubRip conversion', () => {
  const convertCues = (text: string) => convertToWebVtt(Buffer.from(text)).replace(/^WEBVTT\n\n/, '')
  test('converts cue times and text to WebVTT', () => {
    expect(convertToWebVtt(Buffer.from(SUBRIP_TEXT))).toBe(
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nÇa alors, 5 €, déjà\n',
    )
  })
  test('converts several cues, cues with several lines, and Windows line endings', () => {
    expect(
      convertCues(
        '1\r\n00:00:01,000 --> 00:00:02,000\r\nOne\r\nTwo\r\n\r\n2\r\n01:00:03,5 --> 01:00:04\r\nThree\r\n',
      ),
    ).toBe('00:00:01.000 --> 00:00:02.000\nOne\nTwo\n\n01:00:03.500 --> 01:00:04.000\nThree\n')
  })
  test('preserves italics and the top position, removes font tags, and escapes plain text', () => {
    expect(
      convertCues(
        '1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<i>A</i> <font color="#fff">B</font> a < b & c --> d\n',
      ),
    ).toBe('00:00:01.000 --> 00:00:02.000 line:0\n<i>A</i> B a &lt; b &amp; c --&gt; d\n')
  })
  test('converts cues without numbers, and treats a line of digits inside a cue as text', () => {
    expect(convertCues('00:00:01,000 --> 00:00:02,000\nA\n\n00:00:03,000 --> 00:00:04,000\nB')).toBe(
      '00:00:01.000 --> 00:00:02.000\nA\n\n00:00:03.000 --> 00:00:04.000\nB\n',
    )
    expect(
      convertCues('1\n00:00:01,000 --> 00:00:02,000\n1984\n\n2\n00:00:03,000 --> 00:00:04,000\n42\n'),
    ).toBe('00:00:01.000 --> 00:00:02.000\n1984\n\n00:00:03.000 --> 00:00:04.000\n42\n')
  })
  test.each([
    ['times without hours', '1\n01:02,500 --> 01:04,000\nA', '00:01:02.500 --> 00:01:04.000\nA\n'],
    ['a time before the start', '1\n-00:00:01,000 --> 00:00:02,000\nA', '00:00:00.000 --> 00:00:02.000\nA\n'],
    [
      'hours of three digits',
      '1\n100:00:01,000 --> 100:00:02,000\nA',
      '100:00:01.000 --> 100:00:02.000\nA\n',
    ],
    ['spaces in times', '1\n00: 00: 01, 000 --> 00:00 :02 ,000\nA', '00:00:01.000 --> 00:00:02.000\nA\n'],
    ['too many digits', '1\n00:00:01,0009 --> 00:00:02,0000\nA', '00:00:01.000 --> 00:00:02.000\nA\n'],
    ['coordinates', '1\n00:00:01,000 --> 00:00:02,000 X1:1 Y1:2\nA', '00:00:01.000 --> 00:00:02.000\nA\n'],
    [
      'no empty lines between cues',
      '7\n00:00:01,000 --> 00:00:02,000\nA\n8\n00:00:03,000 --> 00:00:04,000\n9\n9\n00:00:05,000 --> 00:00:06,000\nC',
      '00:00:01.000 --> 00:00:02.000\nA\n\n00:00:03.000 --> 00:00:04.000\n9\n\n00:00:05.000 --> 00:00:06.000\nC\n',
    ],
    [
      'HTML entities',
      '1\n00:00:01,000 --> 00:00:02,000\n&quot;It&#39;s&quot; &x;',
      '00:00:01.000 --> 00:00:02.000\n"It\'s" &amp;x;\n',
    ],
  ])('converts a file with %s', (_name, text, cues) => {
    expect(convertCues(text)).toBe(cues)
  })
  test('in WebVTT, a decimal comma is replaced with a decimal point in cue times, but not in cue text', () => {
    expect(convertToWebVtt(Buffer.from('WEBVTT\n\n00:01,000 --> 00:00:02,500 line:0\nA 00:01,000\n'))).toBe(
      'WEBVTT\n\n00:01.000 --> 00:00:02.500 line:0\nA 00:01,000\n',
    )
  })
  test('removes scripts and other tags, and omits cues that end before they start', () => {
    expect(convertCues('1\n00:00:01,000 --> 00:00:02,000\n<script>x</script><img src=x>\n')).toBe(
      '00:00:01.000 --> 00:00:02.000\nx\n',
    )
    expect(convertCues('1\n00:00:05,000 --> 00:00:02,000\nA\n')).toBe('')
    expect(convertCues('no subtitles at all')).toBe('')
  })
  test('returns WebVTT unchanged except for the byte order mark and line endings', () => {
    const webVtt = 'WEBVTT - Sintel\n\nNOTE x\n\n00:01.000 --> 00:02.000 align:start\n<v A>B\n'
    expect(convertToWebVtt(Buffer.from(`\ufeff${webVtt.replaceAll('\n', '\r\n')}`))).toBe(webVtt)
  })
})

describe('MicroDVD conversion', () => {
  const convertCues = (text: string, framesPerSecond?: number) =>
    convertToWebVtt(Buffer.from(text), 'pl', framesPerSecond).replace(/^WEBVTT\n\n/, '')
  test('converts frame numbers with the frame rate that the subtitle file states, else with that of the video, else with 23.976 frames per second', () => {
    expect(convertCues('{1}{1}25.000\n{25}{50}A', 30)).toBe('00:00:01.000 --> 00:00:02.000\nA\n')
    expect(convertCues('{30}{60}A', 30)).toBe('00:00:01.000 --> 00:00:02.000\nA\n')
    expect(convertCues('{24}{48}A')).toBe('00:00:01.001 --> 00:00:02.002\nA\n')
  })
  test('converts several lines, italics, colours, cues without an end and overlapping cues', () => {
    expect(convertCues('{0}{50}{c:$0000ff}{y:i}A|/B\r\n{25}{}C\r\n{250}{}1999\r\nnot a cue', 25)).toBe(
      '00:00:00.000 --> 00:00:01.000\n<i>A</i>\n<i>B</i>\n\n00:00:01.000 --> 00:00:05.000\nC\n\n00:00:10.000 --> 00:00:14.000\n1999\n',
    )
  })
})

const ASS_TEXT = `[Script Info]
; Made by hand
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize
Style: Default,Arial,20

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,Not displayed
Dialogue: 0,0:00:05.00,0:00:06.50,Sign,,0,0,0,,{\\an8\\fs40}Sign, with a comma
Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,{\\i1}First{\\i0} line\\NSecond <line>
Dialogue: 1,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\p1}m 0 0 l 100 0 100 100{\\p0}
`

describe('ASS conversion', () => {
  test('converts dialogue in time order, keeps italics and the top position, and omits other formatting', () => {
    expect(convertToWebVtt(Buffer.from(ASS_TEXT.replaceAll('\n', '\r\n')))).toBe(
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\n<i>First</i> line\nSecond \n\n00:00:05.000 --> 00:00:06.500 line:0\nSign, with a comma\n',
    )
  })
  test('converts SSA, whose fields differ from the fields of ASS', () => {
    const ssaText =
      '[Events]\nFormat: Marked, Start, End, Style, Text\nDialogue: Marked=0,1:00:01.5,1:00:02,Default,Hello, you\n'
    expect(convertToWebVtt(Buffer.from(ssaText))).toBe(
      'WEBVTT\n\n01:00:01.500 --> 01:00:02.000\nHello, you\n',
    )
  })
})

test.each([
  ['a SubRip file', true, SUBRIP_TEXT],
  ['an ASS file', true, ASS_TEXT],
  ['WebVTT with short times', true, 'WEBVTT\n\n00:01.000 --> 00:02.000\nA\n'],
  ['WebVTT without cues', false, 'WEBVTT\n'],
  ['a text', false, 'Dear diary --> today'],
  ['a video', false, '\0\0\0\x18ftypmp42\0\0\0\0'],
  ['an empty file', false, ''],
])('for %s, hasCues returns %s', (_name, hasSubtitles, content) => {
  expect(hasCues(convertToWebVtt(Buffer.from(content)))).toBe(hasSubtitles)
})
