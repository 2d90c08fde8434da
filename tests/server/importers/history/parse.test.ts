/** Every format from a small file of its own, its rows and what is skipped; then that the door refuses what it must. */
import { expect, test } from 'vitest'
import {
  detectHistoryFormat,
  parseHistoryFile,
  UnknownFormatError,
} from '../../../../server/importers/history/parse-history-file.ts'
import { json } from './cases/case.ts'
import { IMDB } from './cases/imdb.ts'
import { LETTERBOXD } from './cases/letterboxd.ts'
import { NETFLIX } from './cases/netflix.ts'
import { film, TRAKT } from './cases/trakt.ts'
import { TVTIME } from './cases/tvtime.ts'
import { NOW, readAll } from './shared-data.ts'

for (const { file, text, format, rows, skips = [] } of [
  ...NETFLIX,
  ...TRAKT,
  ...LETTERBOXD,
  ...IMDB,
  ...TVTIME,
]) {
  test(`${format}: ${file}`, async () => {
    const content = Buffer.from(text)
    expect(detectHistoryFormat(file, content)?.id).toBe(format)
    for (const size of [1, 7, content.length]) {
      const read = await readAll(file, content, size)
      expect(read.rows).toHaveLength(rows.length)
      expect(read.rows).toMatchObject(rows)
      expect(read.skips).toEqual(skips)
    }
  })
}

test('other files are refused', async () => {
  for (const text of ['', 'hello', '{"a":1}', '[1,2]', 'name,amount\nx,2\n', '\u0000\u0001PNG', 'a,b,c\n']) {
    expect(detectHistoryFormat('file.csv', Buffer.from(text))).toBeNull()
    await expect(readAll('file.csv', Buffer.from(text))).rejects.toThrow(UnknownFormatError)
  }
})

test('what somebody wrote on Trakt is no history', () => {
  const said = [
    { type: 'movie', movie: film, comment: { id: 1, comment: 'Good.' } },
    { liked_at: '2020-01-02T00:00:00.000Z', type: 'list', list: { ids: { trakt: 4 } } },
  ]
  for (const one of said) expect(detectHistoryFormat('comments.json', Buffer.from(json([one])))).toBeNull()
})

test('a file that breaks off counts up to there', async () => {
  const text = json([
    { plays: 1, movie: film },
    { plays: 1, movie: film },
  ]).slice(0, -40)
  const { rows, skips } = await readAll('watched-movies.json', Buffer.from(text))
  expect(rows).toHaveLength(1)
  expect(skips.map((one) => one.skip)).toEqual(['broken_file'])
})

test('200,000 rows stream in bounded memory', async () => {
  const open = async function* () {
    yield Buffer.from('Title,Date\n')
    for (let i = 0; i < 2000; i++) {
      const at = new Date(NOW - i * 86_400_000)
      const date = `${at.getUTCMonth() + 1}/${at.getUTCDate()}/${at.getUTCFullYear() % 100}`
      yield Buffer.from(`"Show ${i % 300}: Season 2: Part \u201c${i}\u201d","${date}"\n`.repeat(100))
    }
  }
  let count = 0
  let peak = 0
  const before = process.memoryUsage().heapUsed
  for await (const row of parseHistoryFile(open, 'NetflixViewingHistory.csv', { now: NOW })) {
    count += row.season === 2 ? 1 : 0
    if (count % 20_000 === 0) peak = Math.max(peak, process.memoryUsage().heapUsed - before)
  }
  expect(count).toBe(200_000)
  expect(peak).toBeLessThan(150e6)
})
