/** Netflix files: detecting the date format, splitting titles into series, season and episode, and merging sessions. */
import { expect, test } from 'vitest'
import {
  DateOrderEvidence,
  parseDateWithOrder,
  parseIsoDate,
} from '../../../../server/importers/history/date-order.ts'
import { isNetflixSupplement, parseNetflixTitle } from '../../../../server/importers/history/netflix-title.ts'
import { withSharedData } from '../../../support/shared-data.ts'
import { NOW_MS, parseHistoryContent, parseSharedExport, readSharedFile } from './shared-data.ts'

const createDate = (index: number) => new Date(Date.UTC(2021, 2, 31) - index * 86_400_000 * 3)
const padTwoDigits = (value: number) => String(value).padStart(2, '0')
/**
 * Returns a formatter for a date pattern. In the pattern, `d` and `m` are the day and the month without a leading zero.
 * `D` and `M` are the day and the month with two digits. `Y` is the year with four digits, `y` is the year with two
 * digits, and `T` is the year of the Thai calendar.
 */
const createDateFormatter = (pattern: string) => (date: Date) => {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
  const valuesBySymbol: Record<string, string | number> = {
    d: day,
    D: padTwoDigits(day),
    m: month,
    M: padTwoDigits(month),
    y: padTwoDigits(year % 100),
    Y: year,
    T: year + 543,
  }
  return pattern.replace(/[dDmMyYT]/g, (symbol) => String(valuesBySymbol[symbol]))
}
const convertToArabicDigits = (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))

const DATE_FORMATTERS_BY_LANGUAGE: Record<string, (date: Date) => string> = {
  'en-US': createDateFormatter('m/d/y'),
  'fr, es, pt, it': createDateFormatter('D/M/Y'),
  nl: createDateFormatter('D-M-y'),
  'pl, de, tr, ru': createDateFormatter('D.M.Y'),
  'sv, lt': createDateFormatter('Y-M-D'),
  ko: createDateFormatter('Y. m. d.'),
  'zh, ja': createDateFormatter('Y/m/d'),
  'hu, two-digit year': createDateFormatter('y. M. D.'),
  'ar, Arabic digits and direction marks': (date) =>
    convertToArabicDigits(createDateFormatter('d\u200f/m\u200f/Y')(date)),
  'th, Buddhist era': createDateFormatter('d/m/T'),
}

for (const [language, formatDate] of Object.entries(DATE_FORMATTERS_BY_LANGUAGE)) {
  for (const direction of ['newest first', 'oldest first']) {
    test(`Netflix dates in the format of ${language}, sorted ${direction}, are detected and read`, () => {
      const dates = Array.from({ length: 60 }, (_, index) =>
        createDate(direction === 'newest first' ? index : -index),
      )
      const evidence = new DateOrderEvidence(NOW_MS)
      for (const date of dates) evidence.addDate(formatDate(date))
      const { order, isCertain } = evidence.inferOrder()
      expect(isCertain).toBe(true)
      expect(dates.map((date) => parseDateWithOrder(formatDate(date), order))).toEqual(
        dates.map((date) => date.toISOString().slice(0, 10)),
      )
    })
  }
}

test('ambiguous dates are recognised as day-first by the order of the rows', () => {
  const evidence = new DateOrderEvidence(NOW_MS)
  for (const date of ['03/05/2021', '01/05/2021', '11/04/2021', '02/04/2021']) evidence.addDate(date)
  expect(evidence.inferOrder()).toEqual({ order: 'dmy', isCertain: true })
})

test('after a single ambiguous date the date order is uncertain, and a date order that would put a date in the future is excluded', () => {
  const paddedEvidence = new DateOrderEvidence(NOW_MS)
  paddedEvidence.addDate('03/05/2021')
  expect(paddedEvidence.inferOrder()).toEqual({ order: 'dmy', isCertain: false })
  const unpaddedEvidence = new DateOrderEvidence(NOW_MS)
  unpaddedEvidence.addDate('3/5/21')
  expect(unpaddedEvidence.inferOrder()).toEqual({ order: 'mdy', isCertain: false })
  const koreanEvidence = new DateOrderEvidence(NOW_MS)
  koreanEvidence.addDate('21. 2. 13.')
  expect(koreanEvidence.inferOrder()).toEqual({ order: 'ymd', isCertain: false })
  const evidenceBeforeMay = new DateOrderEvidence(Date.parse('2021-04-01'))
  evidenceBeforeMay.addDate('03/05/2021')
  expect(evidenceBeforeMay.inferOrder()).toEqual({ order: 'mdy', isCertain: true })
})

test('dates that do not exist and text that is not a date are rejected, and timestamps are normalised', () => {
  expect(parseDateWithOrder('30/02/2021', 'dmy')).toBeNull()
  expect(parseDateWithOrder('29/02/2020', 'dmy')).toBe('2020-02-29')
  expect(parseDateWithOrder('yesterday', 'dmy')).toBeNull()
  expect(parseIsoDate('2022-08-24 09:40:17')).toBe('2022-08-24T09:40:17Z')
  expect(parseIsoDate('2025-03-20T10:15:42.067614Z')).toBe('2025-03-20T10:15:42Z')
  expect(parseIsoDate('2022-13-01')).toBeUndefined()
})

const TITLE_CASES: [string, object][] = [
  [
    'Merlin: Saison\u00a05: Le fléau d’Arthur',
    { title: 'Merlin', season: 5, episodeTitle: 'Le fléau d’Arthur' },
  ],
  ['Suits : avocats sur mesure: Saison\u00a01: Pilote', { title: 'Suits : avocats sur mesure', season: 1 }],
  [
    'Trollhunters: Tales of Arcadia: Part 2: Homecoming',
    { title: 'Trollhunters: Tales of Arcadia', season: 2 },
  ],
  [
    'The Sinner: Seizoen 3: Jamie: Deel VIII',
    { title: 'The Sinner', season: 3, episodeTitle: 'Jamie: Deel VIII' },
  ],
  ['Schlafende Hunde: Miniserie: Contact', { title: 'Schlafende Hunde', season: 1, episodeTitle: 'Contact' }],
  ['Sam i Cat: Sezon 1B: Uwaga', { title: 'Sam i Cat', season: 1, seasonName: 'Sezon 1B' }],
  ['Stranger Things: Stranger Things 3: Suzie', { title: 'Stranger Things', season: 3 }],
  ['Sword Art Online: Sword Art Online II: Miecz', { title: 'Sword Art Online', season: 2 }],
  [
    'EDENS ZERO: Season 1: Reset (Episode 21)',
    { title: 'EDENS ZERO', season: 1, episode: 21, episodeTitle: 'Reset' },
  ],
  [
    'The Order: Season 1: Hell Week: Part 1 (Episode 1)',
    { season: 1, episode: 1, episodeTitle: 'Hell Week: Part 1' },
  ],
  ['Alta mar : Saison\u00a01', { title: 'Alta mar', season: 1 }],
  ['Dizi: 2. Sezon: 3. Bölüm', { title: 'Dizi', season: 2, episode: 3 }],
  ['ダーク: シーズン1: 秘密', { title: 'ダーク', season: 1, episodeTitle: '秘密' }],
  ['الصفقة: الموسم 2: الحلقة 3', { title: 'الصفقة', season: 2, episode: 3 }],
  [
    'Les Demoiselles: Dernière saison : Partie 1: La haine',
    { title: 'Les Demoiselles', seasonName: 'Dernière saison' },
  ],
]
for (const [title, reading] of TITLE_CASES) {
  test(`a Netflix title is parsed as a series, not as a movie: ${title}`, () => {
    const readings = parseNetflixTitle(title)
    expect(readings).toHaveLength(1)
    expect(readings[0]).toMatchObject({ type: 'tv', ...reading })
  })
}

test('a title that may be a movie or a series has the movie as its first reading and the series as its second', () => {
  for (const title of [
    'Kill Bill: Vol. 2',
    'Dune: Part Two',
    'SAS: Rise of the Black Swan',
    'Luther: Aflevering 4',
  ]) {
    const [firstReading, secondReading] = parseNetflixTitle(title)
    expect(firstReading).toEqual({ title })
    expect(secondReading?.type).toBe('tv')
  }
  expect(parseNetflixTitle('Focus')).toEqual([{ title: 'Focus' }])
  expect(parseNetflixTitle(': ')).toEqual([])
})

test('previews are recognised by their titles, but movies and series whose title contains a word such as “Trailer” are no previews', () => {
  for (const title of [
    'Focus_hook_primary_16x9',
    'Season 2 Trailer: Love Is Blind',
    'Greenleaf (Bande-annonce)',
    'Temporada 3 (Trailer 2): Control Z',
    'Staffel 2 Trailer: Lost Show',
    'Lost Show: 2. Sezon (Fragman)',
    'Lost Show (إعلان)',
  ]) {
    expect(isNetflixSupplement(title)).toBe(true)
  }
  for (const title of ['Trailer Park Boys: Season 1: Clip', 'The Hook', 'Recap'])
    expect(isNetflixSupplement(title)).toBe(false)
})

const VIEWING_ACTIVITY = `Profile Name,Start Time,Duration,Attributes,Title,Supplemental Video Type,Device Type,Bookmark,Latest Bookmark,Country
Ann,2022-02-03 20:30:00,00:10:00,,Dark: Season 1: Secrets (Episode 1),,TV,00:50:00,00:50:00,DE
Ann,2022-02-03 20:00:00,00:00:30,,Dark: Season 1: Secrets (Episode 1),,TV,00:40:00,Not latest view,DE
Ben,2022-02-03 19:30:00,00:01:00,,Dark: Season 1: Secrets (Episode 1),,TV,00:01:00,00:01:00,DE
Ann,2022-02-03 19:00:00,00:40:00,,Dark: Season 1: Secrets (Episode 1),,TV,00:40:00,Not latest view,DE
Ann,2022-02-02 19:00:00,00:01:00,,Dark: Season 1: Secrets (Episode 1),,TV,00:01:00,Not latest view,DE
Ann,2022-01-01 19:00:00,00:45:00,,Dark: Season 1: Secrets (Episode 1),,TV,00:45:00,Not latest view,DE
Ann,2022-01-01 18:00:00,00:20:00,,Focus_hook_primary_16x9,HOOK,TV,00:20:00,00:20:00,DE
Ann,soon,00:20:00,,Focus,,TV,00:20:00,00:20:00,DE
Ann,2022-01-01 16:00:00,00:20:00,,,,TV,00:20:00,00:20:00,DE
`

test('Netflix sessions are merged into viewings, and previews and short, undated and untitled rows are skipped', async () => {
  const { rows, skips } = await parseHistoryContent('ViewingActivity.csv', Buffer.from(VIEWING_ACTIVITY), 50)
  expect(
    rows.map(({ profile, at, durationSeconds, progress }) => [profile, at, durationSeconds, progress]),
  ).toEqual([
    ['Ann', '2022-02-03T20:30:00Z', 3090, 3000],
    ['Ann', '2022-01-01T19:00:00Z', 2700, 2700],
  ])
  expect(skips.sort((a, b) => a.line - b.line)).toEqual([
    { line: 4, skip: 'too_short' },
    { line: 8, skip: 'supplement' },
    { line: 9, skip: 'bad_date' },
    { line: 10, skip: 'no_title' },
  ])
})

test('the different titles with the same prefix are counted, and a title that was viewed several times counts once', async () => {
  const titles = ['Avatar: Fire', 'Other', 'Avatar: Fire', 'Avatar: Water', 'Other', 'Avatar: Fire']
  const csvText = ['Title,Date', ...titles.map((title) => `${title},2021-03-31`)].join('\n')
  const { rows } = await parseHistoryContent('NetflixViewingHistory.csv', Buffer.from(csvText))
  expect(rows.map(({ readings }) => readings?.map((reading) => [reading.title, reading.siblings]))).toEqual(
    titles.map((title) => (title === 'Other' ? undefined : [['Avatar', 2]])),
  )
})

test('at most 100,000 different titles are counted', async () => {
  const csvText = ['Title,Date', ...Array.from({ length: 100_010 }, (_, i) => `Show: ${i},2021-03-31`)].join(
    '\n',
  )
  const { rows } = await parseHistoryContent('NetflixViewingHistory.csv', Buffer.from(csvText))
  // The header also counts as one of the 100,000 titles.
  expect(rows.at(-1)?.readings?.[0]?.siblings).toBe(99_999)
})

test('a viewing history whose lines end with CR is detected and read', async () => {
  const content = Buffer.from('Title,Date\rFocus,2021-03-31\rAvatar: Fire,2021-03-30\r')
  const { rows } = await parseHistoryContent('NetflixViewingHistory.csv', content, 1)
  expect(rows.map(({ line, title, at }) => [line, title, at])).toEqual([
    [2, 'Focus', '2021-03-31'],
    [3, 'Avatar: Fire', '2021-03-30'],
  ])
})

test(
  'every date of real viewing histories is parsed, and the dates are in descending order',
  withSharedData(async () => {
    for (const [variant, firstDate, lastDate] of [
      ['en_US_mdy', '2019-12-27', '2020-10-21'],
      ['fr_dmy_slash', '2018-06-24', '2021-03-29'],
      ['nl_dmy_dash', '2013-10-11', '2023-06-28'],
      ['pl_dmy_dot', '2019-06-14', '2022-06-30'],
    ]) {
      const path = `exports/netflix/NetflixViewingHistory.${variant}.csv`
      const { rows, skips } = await parseSharedExport(path)
      const recordCount = readSharedFile(path).toString().trim().split('\n').length - 1
      expect(rows.length).toBeGreaterThan(0.99 * (recordCount - skips.length))
      expect(skips.every((skip) => skip.skip === 'no_title')).toBe(true)
      expect([rows.at(-1)?.at, rows[0]?.at]).toEqual([firstDate, lastDate])
      const isDescending = rows.every((row, index) => index === 0 || row.at! <= rows[index - 1]!.at!)
      expect(isDescending).toBe(true)
    }
  }),
)

test(
  'no previews and no viewings under two minutes are read from real viewing activity',
  withSharedData(async () => {
    for (const variant of ['fr', 'pt_BR', 'en_CA']) {
      const { rows, skips } = await parseSharedExport(`exports/netflix/ViewingActivity.${variant}.csv.gz`)
      expect(
        rows.every((row) => row.durationSeconds! >= 120 && !/_hook_|\(Trailer|Bande-annonce/.test(row.title)),
      ).toBe(true)
      expect(skips.every((skip) => skip.skip === 'supplement' || skip.skip === 'too_short')).toBe(true)
      const episodeRows = rows.filter((row) => row.type === 'tv' && row.episode !== undefined)
      expect(episodeRows.length).toBeGreaterThan(rows.length / 3)
      expect(skips.length).toBeGreaterThan(0)
    }
  }),
)
