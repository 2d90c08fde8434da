/** Decoding files whose encoding is not stated, in the encodings that spreadsheets and exporters write. */
import { describe, expect, it } from 'vitest'
import { encodeText } from '../../../support/encode-text.ts'
import { parseHistoryContent } from './shared-data.ts'

const CSV_HEADER = 'Title,Year,Watched on\n'
const WATCHED_AT = '2021-03-04'

const encodeUtf32 = (text: string, isLittleEndian: boolean) =>
  Buffer.concat(
    Array.from(text, (character) => {
      const unit = Buffer.alloc(4)
      if (isLittleEndian) unit.writeUInt32LE(character.codePointAt(0) ?? 0)
      else unit.writeUInt32BE(character.codePointAt(0) ?? 0)
      return unit
    }),
  )

const createTitlesCsv = (titles: readonly string[]) =>
  `${CSV_HEADER}${titles.map((title) => `${title},1995,${WATCHED_AT}\n`).join('')}`

async function readTitles(content: Uint8Array, chunkBytes = 7) {
  const { rows, skips } = await parseHistoryContent('table.csv', Buffer.from(content), chunkBytes)
  expect(skips).toEqual([])
  return rows.map(({ title }) => title)
}

const FRENCH_TITLES = ['Les Héritiers', 'La Fête des mères', 'Déjà vu', 'Où est passé', 'Amélie']
const WESTERN_EUROPEAN_TITLES = [
  'Amélie',
  'Männer',
  'Niño',
  'Låt den rätte',
  'Não',
  'Città',
  'Große Freiheit',
  'Ærlig',
]
const POLISH_TITLES = ['Gorączka', 'Życie', 'Władca pierścieni', 'Miłość', 'Człowiek z żelaza']
const CZECH_TITLES = ['Pelíšky', 'Kouř', 'Čtyři slunce', 'Tmavomodrý svět', 'Příběh']
const TURKISH_TITLES = ['Kış Uykusu', 'Büyük Hesaplaşma', 'Babam ve Oğlum', 'Yılmaz']
const RUSSIAN_TITLES = ['Схватка', 'Город грехов', 'Ирония судьбы', 'Иди и смотри', 'Сталкер']
const GREEK_TITLES = ['Κυνόδοντας', 'Μια αιωνιότητα και μια μέρα', 'Στέλλα']
const HEBREW_TITLES = ['ואלס עם באשיר', 'הערת שוליים', 'ביקור התזמורת']
const ARABIC_TITLES = ['المومياء', 'باب الحديد', 'كفرناحوم', 'الأرض']
const THAI_TITLES = ['ลุงบุญมีระลึกชาติ', 'พี่มาก พระโขนง']
const CHINESE_TITLES = ['盗火线', '霸王别姬', '大话西游之大圣娶亲', '让子弹飞', '我不是药神']
const TRADITIONAL_CHINESE_TITLES = ['盜火線', '悲情城市', '海角七號', '飲食男女']
const JAPANESE_TITLES = ['千と千尋の神隠し', 'となりのトトロ', '七人の侍', '東京物語']
const KOREAN_TITLES = ['기생충', '올드보이', '살인의 추억', '부산행']

describe('a table in a legacy encoding', () => {
  it.each([
    ['windows-1252', FRENCH_TITLES],
    ['windows-1252', WESTERN_EUROPEAN_TITLES],
    ['macintosh', FRENCH_TITLES],
    ['macintosh', WESTERN_EUROPEAN_TITLES],
    ['windows-1250', POLISH_TITLES],
    ['windows-1250', CZECH_TITLES],
    ['windows-1254', TURKISH_TITLES],
    ['windows-1251', RUSSIAN_TITLES],
    ['koi8-r', RUSSIAN_TITLES],
    ['x-mac-cyrillic', RUSSIAN_TITLES],
    ['ibm866', RUSSIAN_TITLES],
    ['windows-1253', GREEK_TITLES],
    ['windows-1255', HEBREW_TITLES],
    ['windows-1256', ARABIC_TITLES],
    ['windows-874', THAI_TITLES],
    ['gb18030', CHINESE_TITLES],
    ['big5', TRADITIONAL_CHINESE_TITLES],
    ['shift_jis', JAPANESE_TITLES],
    ['euc-jp', JAPANESE_TITLES],
    ['euc-kr', KOREAN_TITLES],
  ])('is decoded as %s (%s)', async (encoding, titles) => {
    expect(await readTitles(encodeText(createTitlesCsv(titles), encoding))).toEqual(titles)
  })

  it('is reported as unreadable, instead of being imported with wrong letters, if its bytes fit no known language', async () => {
    // All bytes outside ASCII are equally frequent, which is the case in no language.
    const bytes = Array.from({ length: 128 }, (_, index) => 128 + ((index * 37) % 128))
    const titles = [0, 32, 64, 96].map((start) => String.fromCharCode(...bytes.slice(start, start + 32)))
    const { rows, skips } = await parseHistoryContent(
      'table.csv',
      Buffer.from(createTitlesCsv(titles), 'latin1'),
      4_096,
    )
    expect([rows, skips]).toEqual([[], [{ line: 1, skip: 'bad_encoding' }]])
  })
})

describe('a table in Unicode', () => {
  it.each([
    ['with a byte order mark, little endian', '\ufeff', true],
    ['with a byte order mark, big endian', '\ufeff', false],
    ['without a byte order mark, little endian', '', true],
    ['without a byte order mark, big endian', '', false],
  ])('is decoded as UTF-32 %s', async (_form, byteOrderMark, isLittleEndian) => {
    const titles = [...WESTERN_EUROPEAN_TITLES, ...CHINESE_TITLES, '😀']
    const content = encodeUtf32(byteOrderMark + createTitlesCsv(titles), isLittleEndian)
    expect(await readTitles(content, 1)).toEqual(titles)
    expect(await readTitles(content, content.length)).toEqual(titles)
  })

  it.each([
    WESTERN_EUROPEAN_TITLES,
    POLISH_TITLES,
    RUSSIAN_TITLES,
    ARABIC_TITLES,
    CHINESE_TITLES,
    JAPANESE_TITLES,
    KOREAN_TITLES,
  ])('is decoded as UTF-8 (%s)', async (...titles) => {
    expect(await readTitles(Buffer.from(createTitlesCsv(titles)))).toEqual(titles)
  })

  it('is decoded as UTF-8 even if the first letter outside ASCII is far from the start and the examined sample ends within a character', async () => {
    const titles = [
      ...Array.from({ length: 500 }, (_, index) => `Film ${index}`),
      ...Array(2_000).fill('a盗火线é'),
    ]
    expect(await readTitles(Buffer.from(createTitlesCsv(titles)), 4_096)).toEqual(titles)
  })
})
