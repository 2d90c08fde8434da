/** RFC 4180 clause by clause, and what real files do beside it; every case whole and cut at every byte. */
import { expect, test } from 'vitest'
import {
  CsvError,
  type CsvRecord,
  detectSeparator,
  readCsvRecords,
} from '../../../../server/importers/history/csv.ts'
import { opener } from './shared-data.ts'

const read = async (content: Uint8Array, size: number) => {
  const records = []
  for await (const one of readCsvRecords(opener(content, size)())) records.push(one)
  return records
}

const CASES: Record<string, [string, string[][], number[]?]> = {
  'CRLF between records': [
    'a,b\r\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
    [1, 2],
  ],
  'LF, no line break at the end': [
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
    [1, 2],
  ],
  'CR alone': [
    'a,b\rc,d\r',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  'quotes around a field': ['"a","b"\n', [['a', 'b']]],
  'separator and break inside quotes': [
    '"a,b\nc",d\ne,f\n',
    [
      ['a,b\nc', 'd'],
      ['e', 'f'],
    ],
    [1, 3],
  ],
  'CRLF inside quotes stays': ['"a\r\nb"\r\nc\r\n', [['a\r\nb'], ['c']], [1, 3]],
  'doubled quotes': ['"say ""hi""",""""\n', [['say "hi"', '"']]],
  'spaces belong to the field': [' a , b\n', [[' a ', ' b']]],
  'empty fields': [
    ',,\n"",x\n',
    [
      ['', '', ''],
      ['', 'x'],
    ],
  ],
  'empty lines are no records': ['a\n\n\r\n\nb\n', [['a'], ['b']], [1, 5]],
  'an empty quoted field is a record': ['""\n', [['']]],
  'a byte order mark': ['\ufeffa,b\n', [['a', 'b']]],
  'a quote inside a field is a character': ['5" disc,12"\nx\n', [['5" disc', '12"'], ['x']]],
  'text after a closing quote': ['"a"b,c\n', [['ab', 'c']]],
  'every script': ['"Łódź",الموسم,😀\n', [['Łódź', 'الموسم', '😀']]],
  'a quote that never closes ends with the file': ['a,"b\nc', [['a', 'b\nc']]],
}

for (const [name, [text, fields, lines]] of Object.entries(CASES)) {
  test(name, async () => {
    const content = new TextEncoder().encode(text)
    for (let size = 1; size <= content.length + 1; size++) {
      const records = await read(content, size)
      expect(records.map((one) => one.fields)).toEqual(fields)
      if (lines) expect(records.map((one) => one.line)).toEqual(lines)
    }
  })
}

test('UTF-16 by its mark, cut anywhere', async () => {
  const content = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('å,ß\nc,d\n', 'utf16le')])
  expect((await read(content, 3)).map((one) => one.fields)).toEqual([
    ['å', 'ß'],
    ['c', 'd'],
  ])
})

test('semicolons and tabs of spreadsheets', () => {
  expect(detectSeparator('Title;Date\n1,2;3')).toBe(';')
  expect(detectSeparator('a\tb\tc\n')).toBe('\t')
  expect(detectSeparator('"a;b;c",d')).toBe(',')
  expect(detectSeparator('')).toBe(',')
})

test('a field that does not end stops the file instead of filling the memory', async () => {
  const endless = async function* () {
    yield new TextEncoder().encode('a,b\nc,"')
    for (let i = 0; i < 1000; i++) yield new Uint8Array(65_536).fill(120)
  }
  const records: CsvRecord[] = []
  await expect(async () => {
    for await (const one of readCsvRecords(endless())) records.push(one)
  }).rejects.toThrow(CsvError)
  expect(records).toHaveLength(1)
})
