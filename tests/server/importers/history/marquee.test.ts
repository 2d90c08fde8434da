/** Our own export: what is written, read and written again is the same to the byte. */
import { expect, test } from 'vitest'
import {
  type ExportEntry,
  type ParsedExportEntry,
  parseExportCsv,
  parseExportJson,
  writeExportCsv,
  writeExportJson,
} from '../../../../server/importers/history/marquee-format.ts'
import { opener, readAll } from './shared-data.ts'

const heat = { type: 'movie', title: 'Heat', year: 1995, imdb_id: 'tt0113277', tmdb_id: 949 } as const
const odd = {
  type: 'tv',
  title: ' "A, b"\r\n=1+1 فيلم 😀 ',
  year: null,
  imdb_id: null,
  tmdb_id: null,
} as const
const formula = { ...odd, title: '=HYPERLINK("x")' } as const
const quoted = { ...odd, title: "'-true" } as const
const named = { ...heat, title: 'true' } as const

const ENTRIES: ExportEntry[] = [
  { kind: 'list', ...heat, state: 'completed', favorite: true, added_at: '2026-01-02T03:04:05Z' },
  { kind: 'list', ...odd, state: null, favorite: false, added_at: null },
  { kind: 'list', ...formula, state: 'planned', favorite: false, added_at: '2026-01-02' },
  { kind: 'list', ...quoted, state: 'watching', favorite: false, added_at: '2026-01-02' },
  {
    kind: 'progress',
    ...odd,
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
    ...named,
    season: null,
    episode: null,
    progress: 1,
    video_duration: 10_200,
    finished: true,
    plays: 2,
    updated_at: null,
  },
  { kind: 'play', ...named, season: null, episode: null, episode_title: null, watched_at: null },
  { kind: 'play', ...odd, season: 1, episode: null, episode_title: "=true, 'A'", watched_at: '2021-03-04' },
  {
    kind: 'play',
    ...odd,
    season: 1,
    episode: 2,
    episode_title: null,
    watched_at: '2021-03-04T05:06:07.890Z',
  },
  { kind: 'feedback', ...heat, feedback: 'like', updated_at: '2026-01-02T03:04:05Z' },
  { kind: 'feedback', ...odd, feedback: 'dislike', updated_at: null },
]

const text = async (pieces: AsyncIterable<string>) => (await Array.fromAsync(pieces)).join('')
const entries = async (read: AsyncIterable<ParsedExportEntry>) =>
  (await Array.fromAsync(read)).map((one) => {
    if ('bad' in one) throw new Error(`line ${one.line}`)
    return one.entry
  })

for (const [name, write, read] of [
  ['JSON', writeExportJson, parseExportJson],
  ['CSV', writeExportCsv, parseExportCsv],
] as const) {
  test(`${name}: entries and bytes come back`, async () => {
    for (const some of [
      ENTRIES,
      [],
      ENTRIES.slice(0, 1),
      ENTRIES.slice(-1),
      ENTRIES.slice(4, 5),
      ENTRIES.slice(7, 9),
    ]) {
      const first = await text(write(some))
      for (const size of [1, 5, 1 << 20]) {
        const back = await entries(read(opener(Buffer.from(first), size)()))
        expect(back).toEqual(some)
        expect(await text(write(back))).toBe(first)
      }
    }
  })
}

test('the JSON file is JSON, one entry a line; the table has no cell that runs as a formula', async () => {
  const file = await text(writeExportJson(ENTRIES))
  expect(JSON.parse(file)).toMatchObject({
    format: 'marquee-export',
    version: 1,
    list: [{ title: 'Heat' }, {}, {}, {}],
  })
  expect(file.split('\n')).toHaveLength(ENTRIES.length + 13)
  for (const record of (await text(writeExportCsv(ENTRIES))).split('\r\n')) {
    expect(record).not.toMatch(/(?:^|,)"?[=+@-]\D/)
  }
})

test('entries out of order, or that do not fit, are refused by the writer and reported by the reader', async () => {
  await expect(text(writeExportJson([...ENTRIES].reverse()))).rejects.toThrow('after')
  await expect(text(writeExportJson([{ ...ENTRIES[0], title: '' } as ExportEntry]))).rejects.toThrow()
  const file = (await text(writeExportJson(ENTRIES))).replace('"favorite":true', '"favorite":"yes"')
  const { rows, skips } = await readAll('marquee.json', Buffer.from(file))
  expect(rows).toHaveLength(ENTRIES.length - 1)
  expect(skips).toEqual([{ line: 5, skip: 'bad_row' }])
})

test('as history', async () => {
  for (const [file, content] of [
    ['export.json', await text(writeExportJson(ENTRIES))],
    ['export.csv', await text(writeExportCsv(ENTRIES))],
  ] as const) {
    const { rows, skips } = await readAll(file, Buffer.from(content), 64)
    expect(skips).toEqual([])
    expect(rows.map((row) => row.kind)).toEqual([
      ...['listed', 'listed', 'listed', 'listed'],
      ...['watched', 'watched', 'played', 'played', 'played', 'liked', 'disliked'],
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

test('a later version is not guessed at', async () => {
  const file = (await text(writeExportJson(ENTRIES))).replace('"version": 1', '"version": 2')
  await expect(readAll('export.json', Buffer.from(file))).rejects.toThrow('version 2')
})
