import { describe, expect, it } from 'vitest'
import { IdSet } from '../../../../server/importers/id-set.ts'
import { formatImdbNameId, formatImdbTitleId, parseImdbIdAt } from '../../../../server/importers/imdb/ids.ts'
import { type ImdbAka, selectImdbNames } from '../../../../server/importers/imdb/names.ts'
import {
  findLanguageOfScript,
  hasScriptOfLanguage,
  toProductLanguage,
} from '../../../../server/importers/languages.ts'

/** Parses `FR Le titre`, `JP/ja title`, `US title (working)` or `DE title [literal title]`. */
function parseAka(notation: string): ImdbAka {
  const match = /^(\w+|-)(?:\/(\w+))? (.*?)(?: \((\w+)\))?(?: \[(.*)\])?$/.exec(notation)
  const [, region = null, lang = null, text = '', types = null, attributes = null] = match ?? []
  return { region: region === '-' ? null : region, lang, text, types, attributes }
}
const chooseNames = (primaryTitle: string, originalTitle: string, akas: string[]) => {
  const { names, language } = selectImdbNames({ primaryTitle, originalTitle }, akas.map(parseAka))
  return { language, names: names.map(({ lang, role, text }) => `${lang} ${role} ${text}`) }
}

describe('names from title.akas', () => {
  it.each<[string, string, string, string[], string | undefined, string[]]>([
    ['with a translation', 'Up', 'Up', ['US Up', 'FR Là-haut'], 'en', ['en main Up', 'fr main Là-haut']],
    [
      'with the same name in one Spanish-speaking country',
      'Roma',
      'Roma',
      ['MX Roma'],
      'es',
      ['en main Roma', 'es main Roma'],
    ],
    ['without other names', 'Roma', 'Roma', [], undefined, ['en main Roma']],
    [
      'with a Latin name in Hong Kong',
      'The Mummy',
      'The Mummy',
      ['HK The Mummy'],
      undefined,
      ['en main The Mummy', 'zh aka The Mummy'],
    ],
    [
      'with a romanised original name and one in the original script',
      'Spirited Away',
      'Sen to Chihiro',
      ['JP Sen to Chihiro', 'JP 千と千尋の神隠し'],
      'ja',
      ['en main Spirited Away', 'ja main 千と千尋の神隠し', 'ja aka Sen to Chihiro'],
    ],
    [
      'with only a romanised original name',
      'Parasite',
      'Gisaengchung',
      ['KR Gisaengchung'],
      'ko',
      ['en main Parasite', 'ko original Gisaengchung'],
    ],
    [
      'with an original name in an unknown language',
      'The Wall',
      'Der Wall',
      [],
      undefined,
      ['en main The Wall', 'und aka Der Wall'],
    ],
    [
      'with names from several countries of one language',
      'Jaws',
      'Jaws',
      ['MX Tiburón!', 'ES Tiburón', 'US Jaws'],
      'en',
      ['en main Jaws', 'es main Tiburón', 'es aka Tiburón!'],
    ],
    [
      'with a working title and a literal translation',
      'It',
      'It',
      ['US It', 'US Draft (working)', 'FR Ça [literal title]'],
      'en',
      ['en main It', 'en aka Draft', 'fr aka Ça'],
    ],
    [
      'with the same name in several Arab countries',
      'Dune',
      'Dune',
      ['US Dune', 'LB كثيب', 'EG كثيب', 'IR تل‌ماسه'],
      'en',
      ['en main Dune', 'ar main كثيب', 'und aka تل‌ماسه'],
    ],
    [
      'with names that state both country and language',
      'Rain',
      'Rain',
      ['CA/fr Pluie', 'HK/yue 雨', 'IN/ta மழை', 'US Rain'],
      'en',
      ['en main Rain', 'fr main Pluie', 'zh main 雨', 'und aka மழை'],
    ],
  ])(
    'for a title %s, chooseNames returns the original language, and each name with its language and role',
    (_description, primaryTitle, originalTitle, akas, language, names) => {
      expect(chooseNames(primaryTitle, originalTitle, akas)).toEqual({ language, names })
    },
  )

  it('one name per language is chosen, and the other names get the role `aka`', () => {
    const { names } = chooseNames('A', 'B', ['FR C', 'FR D', 'CA/fr E', 'DE B', 'AT B', 'AT F (imdbDisplay)'])
    for (const lang of ['en', 'fr', 'de']) {
      expect(names.filter((name) => name.startsWith(`${lang} `) && !name.includes(' aka '))).toHaveLength(1)
    }
  })
})

describe('language detection', () => {
  it.each([
    ['انسبشن', 'ar'],
    ['インセプション', 'ja'],
    ['인셉션', 'ko'],
    ['盗梦空间', 'zh'],
    ['Начало', 'ru'],
    ['Amélie – naïve', undefined],
    ['300', undefined],
  ])('detects the language of %s by its script: %s (undefined: no specific language)', (titleText, lang) => {
    expect(findLanguageOfScript(titleText)).toBe(lang)
  })
  it.each<[string, string, boolean]>([
    ['1917', 'ru', true],
    ['Nachalo', 'ru', false],
    ['Начало', 'fr', false],
    ['君の名は。', 'ja', true],
    ['東京', 'ja', true],
    ['Ça', 'fr', true],
  ])(
    'checks whether “%s” is written in the script of the language %s: %s',
    (titleText, lang, isExpectedScript) => {
      expect(hasScriptOfLanguage(titleText, lang)).toBe(isExpectedScript)
    },
  )
  it('maps the IMDb codes of a language to a single code, and unknown codes to undefined', () => {
    expect(['cmn', 'nb', 'fr', 'xx', null].map(toProductLanguage)).toEqual([
      'zh',
      'no',
      'fr',
      undefined,
      undefined,
    ])
  })
})

describe('IMDb IDs', () => {
  const parseId = (idText: string) => parseImdbIdAt(Buffer.from(idText), 0, Buffer.byteLength(idText))
  it.each([
    ['tt0111161\tmovie', 111161],
    ['nm10000000', 10000000],
    ['tt4294967297', 4294967297],
    ['tt123', -1],
    ['tt12345678901', -1],
    ['xx0111161', -1],
    ['tt01111x1', -1],
    ['', -1],
  ])('the ID at the start of %j is parsed as %i (-1 means that the ID is invalid)', (idText, expectedId) => {
    expect(parseId(idText)).toBe(expectedId)
  })
  it('an IdSet contains only the IMDb IDs that were added, also IDs of ten digits', () => {
    const idSet = new IdSet()
    const ids = [1, 31, 32, 65535, 65536, 4294967297, 9999999999]
    for (const id of ids) idSet.add(id)
    idSet.add(31)
    expect(idSet.size).toBe(ids.length)
    expect(ids.every((id) => idSet.has(id))).toBe(true)
    expect([0, 2, 33, 65537, 4294967296].some((id) => idSet.has(id))).toBe(false)
  })
  it('IMDb IDs are formatted with their prefix and at least seven digits', () => {
    expect([formatImdbTitleId(5), formatImdbTitleId(12345678), formatImdbNameId(5)]).toEqual([
      'tt0000005',
      'tt12345678',
      'nm0000005',
    ])
  })
})
