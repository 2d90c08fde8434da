/** Decoding files whose encoding is not stated, in the encodings that spreadsheets and exporters write. */
import { describe, expect, it } from 'vitest'
import { encodeText } from '../../../support/encode-text.ts'
import { parseHistoryContent } from './shared-data.ts'

const HEADER = 'Title,Year,Watched on\n'
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

const createTable = (titles: readonly string[]) =>
  `${HEADER}${titles.map((title) => `${title},1995,${WATCHED_AT}\n`).join('')}`

async function readTitles(content: Uint8Array, chunkBytes = 7) {
  const { rows, skips } = await parseHistoryContent('table.csv', Buffer.from(content), chunkBytes)
  expect(skips).toEqual([])
  return rows.map(({ title }) => title)
}

const FRENCH = ['Les Héritiers', 'La Fête des mères', 'Déjà vu', 'Où est passé', 'Amélie']
const WESTERN_EUROPEAN = [
  'Amélie',
  'Männer',
  'Niño',
  'Låt den rätte',
  'Não',
  'Città',
  'Große Freiheit',
  'Ærlig',
]
const POLISH = ['Gorączka', 'Życie', 'Władca pierścieni', 'Miłość', 'Człowiek z żelaza']
const CZECH = ['Pelíšky', 'Kouř', 'Čtyři slunce', 'Tmavomodrý svět', 'Příběh']
const TURKISH = ['Kış Uykusu', 'Büyük Hesaplaşma', 'Babam ve Oğlum', 'Yılmaz']
const RUSSIAN = ['Схватка', 'Город грехов', 'Ирония судьбы', 'Иди и смотри', 'Сталкер']
const GREEK = ['Κυνόδοντας', 'Μια αιωνιότητα και μια μέρα', 'Στέλλα']
const HEBREW = ['ואלס עם באשיר', 'הערת שוליים', 'ביקור התזמורת']
const ARABIC = ['المومياء', 'باب الحديد', 'كفرناحوم', 'الأرض']
const THAI = ['ลุงบุญมีระลึกชาติ', 'พี่มาก พระโขนง']
const CHINESE = ['盗火线', '霸王别姬', '大话西游之大圣娶亲', '让子弹飞', '我不是药神']
const TRADITIONAL_CHINESE = ['盜火線', '悲情城市', '海角七號', '飲食男女']
const JAPANESE = ['千と千尋の神隠し', 'となりのトトロ', '七人の侍', '東京物語']
const KOREAN = ['기생충', '올드보이', '살인의 추억', '부산행']

describe('a table that is not Unicode', () => {
  it.each([
    ['windows-1252', FRENCH],
    ['windows-1252', WESTERN_EUROPEAN],
    ['macintosh', FRENCH],
    ['macintosh', WESTERN_EUROPEAN],
    ['windows-1250', POLISH],
    ['windows-1250', CZECH],
    ['windows-1254', TURKISH],
    ['windows-1251', RUSSIAN],
    ['koi8-r', RUSSIAN],
    ['x-mac-cyrillic', RUSSIAN],
    ['ibm866', RUSSIAN],
    ['windows-1253', GREEK],
    ['windows-1255', HEBREW],
    ['windows-1256', ARABIC],
    ['windows-874', THAI],
    ['gb18030', CHINESE],
    ['big5', TRADITIONAL_CHINESE],
    ['shift_jis', JAPANESE],
    ['euc-jp', JAPANESE],
    ['euc-kr', KOREAN],
  ])('is decoded as %s (%s)', async (encoding, titles) => {
    expect(await readTitles(encodeText(createTable(titles), encoding))).toEqual(titles)
  })

  it('is reported as unreadable, instead of being imported with wrong letters, if the language of the table is not known', async () => {
    // All bytes outside ASCII are equally frequent, which is the case in no language.
    const bytes = Array.from({ length: 128 }, (_, index) => 128 + ((index * 37) % 128))
    const titles = [0, 32, 64, 96].map((start) => String.fromCharCode(...bytes.slice(start, start + 32)))
    const { rows, skips } = await parseHistoryContent(
      'table.csv',
      Buffer.from(createTable(titles), 'latin1'),
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
    const titles = [...WESTERN_EUROPEAN, ...CHINESE, '😀']
    const content = encodeUtf32(byteOrderMark + createTable(titles), isLittleEndian)
    expect(await readTitles(content, 1)).toEqual(titles)
    expect(await readTitles(content, content.length)).toEqual(titles)
  })

  it.each([WESTERN_EUROPEAN, POLISH, RUSSIAN, ARABIC, CHINESE, JAPANESE, KOREAN])(
    'is decoded as UTF-8 (%s)',
    async (...titles) => {
      expect(await readTitles(Buffer.from(createTable(titles)))).toEqual(titles)
    },
  )

  it('is decoded as UTF-8 even if the first letter outside ASCII is far from the start and the examined sample ends within a character', async () => {
    const titles = [
      ...Array.from({ length: 500 }, (_, index) => `Film ${index}`),
      ...Array(2_000).fill('a盗火线é'),
    ]
    expect(await readTitles(Buffer.from(createTable(titles)), 4_096)).toEqual(titles)
  })
})
