import { describe, expect, it } from 'vitest'
import { IdSet } from '../../../../server/importers/id-set.ts'
import { formatImdbNameId, formatImdbTitleId, parseImdbIdAt } from '../../../../server/importers/imdb/ids.ts'
import { type ImdbAka, selectImdbNames } from '../../../../server/importers/imdb/names.ts'
import {
  languageOfScript,
  toProductLanguage,
  usesScriptOfLanguage,
} from '../../../../server/importers/languages.ts'

/** `FR Le titre`, `JP/ja title`, `US title (working)`, `DE title [literal title]` */
function aka(words: string): ImdbAka {
  const found = /^(\w+|-)(?:\/(\w+))? (.*?)(?: \((\w+)\))?(?: \[(.*)\])?$/.exec(words)
  const [, region = null, lang = null, text = '', types = null, attributes = null] = found ?? []
  return { region: region === '-' ? null : region, lang, text, types, attributes }
}
const namesFrom = (primary: string, original: string, akas: string[]) => {
  const { names, language } = selectImdbNames({ primary, original }, akas.map(aka))
  return { language, names: names.map(({ lang, role, text }) => `${lang} ${role} ${text}`) }
}

describe('names from title.akas', () => {
  it.each<[string, string, string, string[], string | undefined, string[]]>([
    ['one of the world', 'Up', 'Up', ['US Up', 'FR Là-haut'], 'en', ['en main Up', 'fr main Là-haut']],
    ['kept by one country', 'Roma', 'Roma', ['MX Roma'], 'es', ['en main Roma', 'es main Roma']],
    ['kept by none', 'Roma', 'Roma', [], undefined, ['en main Roma']],
    [
      'in Latin letters in Hong Kong',
      'The Mummy',
      'The Mummy',
      ['HK The Mummy'],
      undefined,
      ['en main The Mummy', 'zh aka The Mummy'],
    ],
    [
      'romanised',
      'Spirited Away',
      'Sen to Chihiro',
      ['JP Sen to Chihiro', 'JP 千と千尋の神隠し'],
      'ja',
      ['en main Spirited Away', 'ja main 千と千尋の神隠し', 'ja aka Sen to Chihiro'],
    ],
    [
      'romanised only',
      'Parasite',
      'Gisaengchung',
      ['KR Gisaengchung'],
      'ko',
      ['en main Parasite', 'ko original Gisaengchung'],
    ],
    ['foreign and unknown', 'The Wall', 'Der Wall', [], undefined, ['en main The Wall', 'und aka Der Wall']],
    [
      'home before abroad',
      'Jaws',
      'Jaws',
      ['MX Tiburón!', 'ES Tiburón', 'US Jaws'],
      'en',
      ['en main Jaws', 'es main Tiburón', 'es aka Tiburón!'],
    ],
    [
      'working and literal ones',
      'It',
      'It',
      ['US It', 'US Draft (working)', 'FR Ça [literal title]'],
      'en',
      ['en main It', 'en aka Draft', 'fr aka Ça'],
    ],
    [
      'all Arab countries',
      'Dune',
      'Dune',
      ['US Dune', 'LB كثيب', 'EG كثيب', 'IR تل‌ماسه'],
      'en',
      ['en main Dune', 'ar main كثيب'],
    ],
    [
      'language over country',
      'Rain',
      'Rain',
      ['CA/fr Pluie', 'HK/yue 雨', 'IN/ta மழை', 'US Rain'],
      'en',
      ['en main Rain', 'fr main Pluie', 'zh main 雨'],
    ],
  ])('%s', (_, primary, original, akas, language, names) => {
    expect(namesFrom(primary, original, akas)).toEqual({ language, names })
  })

  it('never has two that are no other name in one language', () => {
    const { names } = namesFrom('A', 'B', ['FR C', 'FR D', 'CA/fr E', 'DE B', 'AT B', 'AT F (imdbDisplay)'])
    for (const lang of ['en', 'fr', 'de']) {
      expect(names.filter((name) => name.startsWith(`${lang} `) && !name.includes(' aka '))).toHaveLength(1)
    }
  })
})

describe('languages', () => {
  it.each([
    ['انسبشن', 'ar'],
    ['インセプション', 'ja'],
    ['인셉션', 'ko'],
    ['盗梦空间', 'zh'],
    ['Начало', 'ru'],
    ['Amélie – naïve', undefined],
    ['300', undefined],
  ])('of the letters of %s', (text, lang) => {
    expect(languageOfScript(text)).toBe(lang)
  })
  it.each<[string, string, boolean]>([
    ['1917', 'ru', true],
    ['Nachalo', 'ru', false],
    ['Начало', 'fr', false],
    ['君の名は。', 'ja', true],
    ['東京', 'ja', true],
    ['Ça', 'fr', true],
  ])('%s as %s', (text, lang, fits) => {
    expect(usesScriptOfLanguage(text, lang)).toBe(fits)
  })
  it('go by one code', () => {
    expect(['cmn', 'nb', 'fr', 'xx', null].map(toProductLanguage)).toEqual([
      'zh',
      'no',
      'fr',
      undefined,
      undefined,
    ])
  })
})

describe('ids', () => {
  const at = (text: string) => parseImdbIdAt(Buffer.from(text), 0, Buffer.byteLength(text))
  it.each([
    ['tt0111161\tmovie', 111161],
    ['nm10000000', 10000000],
    ['tt4294967297', 4294967297],
    ['tt123', -1],
    ['tt12345678901', -1],
    ['xx0111161', -1],
    ['tt01111x1', -1],
    ['', -1],
  ])('%j', (text, id) => {
    expect(at(text)).toBe(id)
  })
  it('are kept as bits, the largest too', () => {
    const set = new IdSet()
    const ids = [1, 31, 32, 65535, 65536, 4294967297, 9999999999]
    for (const id of ids) set.add(id)
    set.add(31)
    expect(set.size).toBe(ids.length)
    expect(ids.every((id) => set.has(id))).toBe(true)
    expect([0, 2, 33, 65537, 4294967296].some((id) => set.has(id))).toBe(false)
  })
  it('are written as IMDb does', () => {
    expect([formatImdbTitleId(5), formatImdbTitleId(12345678), formatImdbNameId(5)]).toEqual([
      'tt0000005',
      'tt12345678',
      'nm0000005',
    ])
  })
})
