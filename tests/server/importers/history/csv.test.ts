/** The CSV parser: RFC 4180 and the deviations of real files. The tests read every text in chunks of every size. */
import { expect, test } from 'vitest'
import {
  CsvError,
  type CsvRecord,
  detectSeparator,
  readCsvRecords,
} from '../../../../server/importers/history/csv.ts'
import { createChunkReader } from './shared-data.ts'

const readRecords = async (content: Uint8Array, chunkBytes: number) => {
  const records = []
  for await (const record of readCsvRecords(createChunkReader(content, chunkBytes)())) records.push(record)
  return records
}

const PARSER_CASES_BY_NAME: Record<string, [string, string[][], number[]?]> = {
  'records separated by CRLF': [
    'a,b\r\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
    [1, 2],
  ],
  'records separated by LF without a final line break': [
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
    [1, 2],
  ],
  'records separated by CR': [
    'a,b\rc,d\r\re,f\r',
    [
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
    ],
    [1, 2, 4],
  ],
  'quoted fields': ['"a","b"\n', [['a', 'b']]],
  'separators and line breaks inside quotes': [
    '"a,b\nc",d\ne,f\n',
    [
      ['a,b\nc', 'd'],
      ['e', 'f'],
    ],
    [1, 3],
  ],
  'CRLF inside quotes unchanged': ['"a\r\nb"\r\nc\r\n', [['a\r\nb'], ['c']], [1, 3]],
  'CR inside quotes as the end of a line': ['"a\rb\r",c\rd\r', [['a\rb\r', 'c'], ['d']], [1, 4]],
  'a CR inside quotes before a closing quote and LF': ['"a\r"\nb\n', [['a\r'], ['b']], [1, 3]],
  'doubled quotes': ['"say ""hi""",""""\n', [['say "hi"', '"']]],
  'spaces as part of the field': [' a , b\n', [[' a ', ' b']]],
  'empty fields': [
    ',,\n"",x\n',
    [
      ['', '', ''],
      ['', 'x'],
    ],
  ],
  'empty lines as no records': ['a\n\n\r\n\nb\n', [['a'], ['b']], [1, 5]],
  'an empty quoted field as a record': ['""\n', [['']]],
  'a file with a byte order mark': ['\ufeffa,b\n', [['a', 'b']]],
  'a first line that names the separator': ['\ufeffsep=;\r\na;b,c\r\n', [['a', 'b,c']], [2]],
  'a last line that looks like the name of a separator': ['a,b\nsep=;\n', [['a', 'b'], ['sep=;']]],
  'a quote inside an unquoted field as a character': ['5" disc,12"\nx\n', [['5" disc', '12"'], ['x']]],
  'text after a closing quote as part of the field': ['"a"b,c\n', [['ab', 'c']]],
  'fields in several scripts': ['"Łódź",الموسم,😀\n', [['Łódź', 'الموسم', '😀']]],
}

for (const [name, [csvText, expectedFields, lineNumbers]] of Object.entries(PARSER_CASES_BY_NAME)) {
  test(`the CSV reader reads ${name}, in chunks of every size`, async () => {
    const content = new TextEncoder().encode(csvText)
    for (let chunkBytes = 1; chunkBytes <= content.length + 1; chunkBytes++) {
      const records = await readRecords(content, chunkBytes)
      expect(records.map((record) => record.fields)).toEqual(expectedFields)
      if (lineNumbers) expect(records.map((record) => record.line)).toEqual(lineNumbers)
    }
  })
}

test('the CSV reader detects UTF-16 by its byte order mark, also when chunks split characters', async () => {
  const content = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('å,ß\nc,d\n', 'utf16le')])
  expect((await readRecords(content, 3)).map((record) => record.fields)).toEqual([
    ['å', 'ß'],
    ['c', 'd'],
  ])
})

test('the CSV reader reads a file as Windows-1252 when its first letter beyond ASCII is not UTF-8, in chunks of every size', async () => {
  const csvText = `title,date\n${'x'.repeat(5)},1\nAmélie – “été”,2\nLéon,€\n`
  const bytesByLetter: Record<string, number> = { é: 0xe9, '–': 0x96, '“': 0x93, '”': 0x94, '€': 0x80 }
  const content = Uint8Array.from([...csvText], (letter) => bytesByLetter[letter] ?? letter.charCodeAt(0))
  for (let chunkBytes = 1; chunkBytes <= content.length; chunkBytes++) {
    const records = await readRecords(content, chunkBytes)
    expect(records.map((record) => record.fields[0])).toEqual(['title', 'xxxxx', 'Amélie – “été”', 'Léon'])
  }
})

test.each([
  ['Windows-1256', 'title,date\nLost Film,1\nليالي,2\n', 'ليالي', [0xe1, 0xed, 0xc7, 0xe1, 0xed]],
  ['Windows-1251', 'title,date\nLost Film,1\nпривет,2\n', 'привет', [0xef, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]],
])(
  'the CSV reader guesses the code page %s, although most words are English',
  async (_codePage, csvText, word, wordBytes) => {
    const [textBefore = '', textAfter = ''] = csvText.split(word)
    const content = Buffer.concat([Buffer.from(textBefore), Buffer.from(wordBytes), Buffer.from(textAfter)])
    const records = await readRecords(content, content.length)
    expect(records.map((record) => record.fields[0])).toEqual(['title', 'Lost Film', word])
  },
)

test('the CSV reader detects UTF-16 without a byte order mark', async () => {
  const content = Buffer.from('title,date\nليالي,2\n', 'utf16le')
  const records = await readRecords(content, content.length)
  expect(records.map((record) => record.fields)).toEqual([
    ['title', 'date'],
    ['ليالي', '2'],
  ])
})

test('the CSV reader replaces a damaged byte in UTF-8 with U+FFFD, and reads the rest of the file', async () => {
  const content = Buffer.concat([Buffer.from('é,1\nL'), Buffer.from([0xe9]), Buffer.from('on,2\nè,3\n')])
  const records = await readRecords(content, 3)
  expect(records.map((record) => record.fields[0])).toEqual(['é', 'L\ufffdon', 'è'])
})

test('the CSV reader detects commas, semicolons and tabs as separators', () => {
  expect(detectSeparator('Title;Date\n1,2;3')).toBe(';')
  expect(detectSeparator('a\tb\tc\n')).toBe('\t')
  expect(detectSeparator('"a;b;c",d')).toBe(',')
  expect(detectSeparator('')).toBe(',')
  expect(detectSeparator('sep=;\r\na,b,c;d')).toBe(';')
})

test('the CSV reader throws CsvError when a field exceeds the size limit', async () => {
  const streamEndlessField = async function* () {
    yield new TextEncoder().encode('a,b\nc,"')
    for (let i = 0; i < 1000; i++) yield new Uint8Array(65_536).fill(120)
  }
  const records: CsvRecord[] = []
  await expect(async () => {
    for await (const record of readCsvRecords(streamEndlessField())) records.push(record)
  }).rejects.toThrow(CsvError)
  expect(records).toHaveLength(1)
})

test('the CSV reader throws CsvError with the line of the record when a quote is not closed before the end of the file', async () => {
  const content = new TextEncoder().encode('a,b\nc,"d\ne,f\n')
  for (let chunkBytes = 1; chunkBytes <= content.length; chunkBytes++) {
    const records: CsvRecord[] = []
    await expect(async () => {
      for await (const record of readCsvRecords(createChunkReader(content, chunkBytes)()))
        records.push(record)
    }).rejects.toThrow('the record that begins in line 2 is not closed')
    expect(records.map(({ fields }) => fields)).toEqual([['a', 'b']])
  }
})
