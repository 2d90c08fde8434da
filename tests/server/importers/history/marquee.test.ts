/** Marquee's own export format: reading a written file and writing it again gives the same bytes. */
import { expect, test } from 'vitest'
import type { FileOpener } from '../../../../server/importers/history/history-row.ts'
import type { ExportEntry } from '../../../../server/importers/history/marquee-entries.ts'
import {
  type ParsedExportEntry,
  parseExportCsv,
  parseExportJson,
  writeExportCsv,
  writeExportJson,
} from '../../../../server/importers/history/marquee-format.ts'
import { createChunkReader, NOW_MS, parseHistoryContent } from './shared-data.ts'

const HEAT = { type: 'movie', title: 'Heat', year: 1995, imdb_id: 'tt0113277', tmdb_id: 949 } as const
const SPECIAL_CHARACTERS_TITLE = {
  type: 'tv',
  title: ' "A, b"\r\n=1+1 فيلم 😀 ',
  year: null,
  imdb_id: null,
  tmdb_id: null,
} as const
const FORMULA_TITLE = { ...SPECIAL_CHARACTERS_TITLE, title: '=HYPERLINK("x")' } as const
const LEADING_QUOTE_TITLE = { ...SPECIAL_CHARACTERS_TITLE, title: "'-true" } as const
const BOOLEAN_TITLE = { ...HEAT, title: 'true' } as const

const EXPORT_ENTRIES: ExportEntry[] = [
  { kind: 'list', ...HEAT, state: 'completed', favorite: true, added_at: '2026-01-02T03:04:05Z' },
  { kind: 'list', ...SPECIAL_CHARACTERS_TITLE, state: null, favorite: false, added_at: null },
  { kind: 'list', ...FORMULA_TITLE, state: 'planned', favorite: false, added_at: '2026-01-02' },
  { kind: 'list', ...LEADING_QUOTE_TITLE, state: 'watching', favorite: false, added_at: '2026-01-02' },
  {
    kind: 'progress',
    ...SPECIAL_CHARACTERS_TITLE,
    season: 0,
    episode: 12,
    progress: 61.25,
    video_duration: 0,
    finished: false,
    plays: 0,
    updated_at: '2026-01-02T03:04:05.678Z',
  },
  {
    kind: 'progress',
    ...BOOLEAN_TITLE,
    season: null,
    episode: null,
    progress: 1,
    video_duration: 10_200,
    finished: true,
    plays: 2,
    updated_at: null,
  },
  { kind: 'play', ...BOOLEAN_TITLE, season: null, episode: null, episode_title: null, watched_at: null },
  {
    kind: 'play',
    ...SPECIAL_CHARACTERS_TITLE,
    season: 1,
    episode: null,
    episode_title: "=true, 'A'",
    watched_at: '2021-03-04',
  },
  {
    kind: 'play',
    ...SPECIAL_CHARACTERS_TITLE,
    season: 1,
    episode: 2,
    episode_title: null,
    watched_at: '2021-03-04T05:06:07.890Z',
  },
  { kind: 'feedback', ...HEAT, feedback: 'like', updated_at: '2026-01-02T03:04:05Z' },
  { kind: 'feedback', ...SPECIAL_CHARACTERS_TITLE, feedback: 'dislike', updated_at: null },
  { kind: 'rating', ...HEAT, rating: 9, updated_at: '2026-01-02T03:04:05Z' },
  { kind: 'rating', ...FORMULA_TITLE, rating: 1, updated_at: null },
  {
    kind: 'named_list',
    name: 'true',
    description: '',
    shared: true,
    on_home: false,
    filter_type: null,
    filter_query: null,
  },
  {
    kind: 'named_list',
    name: '=1',
    description: 'two\nlines',
    shared: false,
    on_home: true,
    filter_type: 'tv',
    filter_query: 'rated=18%2B',
  },
  { kind: 'list_title', ...HEAT, name: 'true', added_at: '2026-01-02T03:04:05Z' },
  { kind: 'list_title', ...SPECIAL_CHARACTERS_TITLE, name: 'true', added_at: null },
]

const joinText = async (textChunks: AsyncIterable<string>) => (await Array.fromAsync(textChunks)).join('')
const collectEntries = async (entries: AsyncIterable<ParsedExportEntry>) =>
  (await Array.fromAsync(entries)).map((entry) => {
    if ('isInvalid' in entry) throw new Error(`invalid entry on line ${entry.line}`)
    return entry.entry
  })

for (const [formatName, writeEntries, parseEntries] of [
  ['JSON', writeExportJson, (openFile: FileOpener) => parseExportJson(openFile())],
  ['CSV', writeExportCsv, (openFile: FileOpener) => parseExportCsv(openFile, NOW_MS)],
] as const) {
  test(`${formatName}: parsing a written export returns the written entries, and writing these entries again produces the same bytes`, async () => {
    for (const entries of [
      EXPORT_ENTRIES,
      [],
      EXPORT_ENTRIES.slice(0, 1),
      EXPORT_ENTRIES.slice(-1),
      EXPORT_ENTRIES.slice(4, 5),
      EXPORT_ENTRIES.slice(7, 9),
    ]) {
      const firstText = await joinText(writeEntries(entries))
      for (const chunkBytes of [1, 5, 1 << 20]) {
        const parsedEntries = await collectEntries(
          parseEntries(createChunkReader(Buffer.from(firstText), chunkBytes)),
        )
        expect(parsedEntries).toEqual(entries)
        expect(await joinText(writeEntries(parsedEntries))).toBe(firstText)
      }
    }
  })
}

test('the JSON export has one entry per line, and the CSV export has no cells that spreadsheets run as formulas', async () => {
  const jsonText = await joinText(writeExportJson(EXPORT_ENTRIES))
  expect(JSON.parse(jsonText)).toMatchObject({
    format: 'marquee-export',
    version: 1,
    list: [{ title: 'Heat' }, {}, {}, {}],
  })
  expect(jsonText.split('\n')).toHaveLength(EXPORT_ENTRIES.length + 19)
  for (const record of (await joinText(writeExportCsv(EXPORT_ENTRIES))).split('\r\n')) {
    expect(record).not.toMatch(/(?:^|,)"?[=+@-]\D/)
  }
})

test('the export writer rejects unordered and invalid entries, and the export reader skips invalid entries', async () => {
  await expect(joinText(writeExportJson([...EXPORT_ENTRIES].reverse()))).rejects.toThrow('after')
  await expect(
    joinText(writeExportJson([{ ...EXPORT_ENTRIES[0], title: '' } as ExportEntry])),
  ).rejects.toThrow()
  const jsonText = (await joinText(writeExportJson(EXPORT_ENTRIES))).replace(
    '"favorite":true',
    '"favorite":"yes"',
  )
  const { rows, skips } = await parseHistoryContent('marquee.json', Buffer.from(jsonText))
  expect(rows).toHaveLength(EXPORT_ENTRIES.length - 1)
  expect(skips).toEqual([{ line: 5, skip: 'bad_row' }])
})

test('JSON and CSV exports are parsed as history rows', async () => {
  for (const [fileName, content] of [
    ['export.json', await joinText(writeExportJson(EXPORT_ENTRIES))],
    ['export.csv', await joinText(writeExportCsv(EXPORT_ENTRIES))],
  ] as const) {
    const { rows, skips } = await parseHistoryContent(fileName, Buffer.from(content), 64)
    expect(skips).toEqual([])
    expect(rows.map((row) => row.kind)).toEqual([
      ...['listed', 'listed', 'listed', 'listed'],
      ...['watched', 'watched', 'played', 'played', 'played', 'liked', 'disliked', 'rated', 'rated'],
      ...['list', 'list', 'listed', 'listed'],
    ])
    expect(rows[0]).toMatchObject({
      ids: { imdb: 'tt0113277', tmdb: 949 },
      state: 'completed',
      favorite: true,
    })
    expect(rows[7]).toMatchObject({ season: 1, episodeTitle: "=true, 'A'", at: '2021-03-04' })
    expect(rows[4]).toMatchObject({ season: 0, episode: 12, progress: 61.25, finished: false, plays: 0 })
  }
})

test('TRUE, FALSE, VRAI and FAUX from a spreadsheet are read as booleans in boolean columns of a CSV export, and as text in a title', async () => {
  const csvText = await joinText(writeExportCsv(EXPORT_ENTRIES))
  for (const [trueWord, falseWord] of [
    ['TRUE', 'FALSE'],
    ['VRAI', 'FAUX'],
  ] as const) {
    const spreadsheetText = csvText.replace(/(?<=,)(?:true|false)(?=,)/g, (word) =>
      word === 'true' ? trueWord : falseWord,
    )
    expect(spreadsheetText).not.toBe(csvText)
    const parsedEntries = await collectEntries(
      parseExportCsv(createChunkReader(Buffer.from(spreadsheetText), 1 << 20), NOW_MS),
    )
    const pickBooleans = (entry: ExportEntry) => [
      'favorite' in entry && entry.favorite,
      'finished' in entry && entry.finished,
      'shared' in entry && [entry.shared, entry.on_home],
    ]
    expect(parsedEntries.map(pickBooleans)).toEqual(EXPORT_ENTRIES.map(pickBooleans))
    expect(parsedEntries[5]).toMatchObject({ title: trueWord, finished: true })
  }
  const invalidText = csvText.replace(/completed,true/, 'completed,perhaps')
  const { rows, skips } = await parseHistoryContent('export.csv', Buffer.from(invalidText))
  expect(rows).toHaveLength(EXPORT_ENTRIES.length - 1)
  expect(skips).toEqual([{ line: 2, skip: 'bad_row' }])
})

test('the numbers, dates and line breaks of a CSV export are read unchanged after a German or American spreadsheet program has saved the file', async () => {
  const watchedDays = ['2025-03-04', '2025-05-31'] as const
  const entries: ExportEntry[] = [
    EXPORT_ENTRIES[4]!,
    ...watchedDays.map(
      (watched_at): ExportEntry => ({
        kind: 'play',
        ...HEAT,
        season: null,
        episode: null,
        episode_title: null,
        watched_at,
        note: 'two\nlines',
      }),
    ),
    { ...EXPORT_ENTRIES[14]!, filter_type: null, filter_query: null } as ExportEntry,
  ]
  const csvText = await joinText(writeExportCsv(entries))
  const germanText = csvText
    .replaceAll(',', ';')
    .replace('61.25', '61,25')
    .replace(/(\d{4})-(\d{2})-(\d{2})(?=;)/g, '$3.$2.$1')
    .replaceAll('two\n', 'two\r\n')
  const americanText = csvText
    .replace(/(\d{4})-0?(\d+)-0?(\d+)(?=,)/g, '$2/$3/$1')
    .replaceAll('two\n', 'two\r')
  // The replacement of commas above also changes the commas within titles to semicolons.
  const germanEntries = entries.map((entry) =>
    'title' in entry ? { ...entry, title: entry.title.replaceAll(',', ';') } : entry,
  )
  for (const [spreadsheetText, expectedEntries] of [
    [germanText, germanEntries],
    [americanText, entries],
  ] as const) {
    expect(spreadsheetText).not.toContain('2025-03-04')
    const openFile = createChunkReader(Buffer.from(spreadsheetText), 1 << 20)
    expect(await collectEntries(parseExportCsv(openFile, NOW_MS))).toEqual(expectedEntries)
  }
  const { rows, skips } = await parseHistoryContent(
    'export.csv',
    Buffer.from(germanText.replace('04.03.2025', '32.03.2025')),
  )
  expect(rows).toHaveLength(entries.length - 1)
  expect(skips).toMatchObject([{ skip: 'bad_row' }])
})

test('an export file of a later format version is rejected', async () => {
  const jsonText = (await joinText(writeExportJson(EXPORT_ENTRIES))).replace('"version": 1', '"version": 2')
  await expect(parseHistoryContent('export.json', Buffer.from(jsonText))).rejects.toThrow('version 2')
})

test('if another program sorts the keys of a JSON export, the export is parsed as the same history rows as before', async () => {
  const sortKeys = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sortKeys)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .sort()
              .map(([key, child]) => [key, sortKeys(child)]),
          )
        : value
  const likes = Array.from({ length: 200 }, (_, index) => ({
    ...HEAT,
    tmdb_id: index + 1,
    kind: 'feedback' as const,
    feedback: 'like' as const,
    updated_at: '2026-01-02T03:04:05Z',
  }))
  for (const entries of [EXPORT_ENTRIES, EXPORT_ENTRIES.filter(({ kind }) => kind === 'rating'), likes]) {
    const jsonText = await joinText(writeExportJson(entries))
    const parseAndSortRows = async (text: string) => {
      const { rows, skips } = await parseHistoryContent('export.json', Buffer.from(text))
      expect(skips).toEqual([])
      return rows.map(({ line: _line, ...row }) => JSON.stringify(sortKeys(row))).sort()
    }
    expect(await parseAndSortRows(JSON.stringify(sortKeys(JSON.parse(jsonText)), null, 2))).toEqual(
      await parseAndSortRows(jsonText),
    )
  }
})
