import { expect, test } from 'vitest'
import {
  formatBytes,
  formatDurationSeconds,
  formatTimeSince,
  formatTimeUntil,
} from '../../src/islands/dashboard/kit/formatters.ts'
import { parseImporterOptions } from '../../src/islands/dashboard/library/import-options.ts'
import { getSeverity, replaceSeverity } from '../../src/islands/dashboard/library/parental-guide.ts'
import { describeFields, formatImporterPhrase } from '../../src/islands/dashboard/system/job-report.ts'
import { validateNumberSetting } from '../../src/islands/dashboard/system/validate-number-setting.ts'
import { formatDayAndMonth, roundUpToAxisMaximum } from '../../src/islands/statistics/plot-axis.ts'
import { collectImporterPhrases, collectPhrases, SAMPLE_VALUE } from './importer-phrases.ts'

test.each([
  [0, '0 kB'],
  [512, '0.5 kB'],
  [999_999, '1,000 kB'],
  [12_400_000, '12.4 MB'],
  [123_456_789, '123 MB'],
  [80_300_000_000, '80.3 GB'],
])('%i bytes are formatted as "%s"', (bytes, expectedText) => {
  expect(formatBytes(bytes)).toBe(expectedText)
})

test.each([
  [4, '4 seconds'],
  [61, '1 minute'],
  [7_300, '2 hours'],
  [200_000, '2 days'],
])('%i seconds are formatted as "%s"', (seconds, expectedText) => {
  expect(formatDurationSeconds(seconds)).toBe(expectedText)
})

test('the time until an instant is formatted in days, hours or minutes, and an instant in the past as "in 1 minute"', () => {
  const nowMs = Date.parse('2026-11-21T08:00:00Z')
  expect(formatTimeUntil('2026-11-27T08:00:00Z', nowMs)).toBe('in 6 days')
  expect(formatTimeUntil('2026-11-21T11:00:00Z', nowMs)).toBe('in 3 hours')
  expect(formatTimeUntil('2026-11-21T07:00:00Z', nowMs)).toBe('in 1 minute')
})

test('a date is formatted as day and month', () => {
  expect(formatDayAndMonth('2026-11-20')).toBe('20/11')
})

test.each([
  [[], 1],
  [[0, 0], 1],
  [[3], 5],
  [[7, 2], 10],
  [[47], 50],
  [[101], 200],
])('the axis maximum for the values %j is rounded up to %i', (plottedValues, axisMaximum) => {
  expect(roundUpToAxisMaximum(plottedValues)).toBe(axisMaximum)
})

test('the votes of a category of the parental guide are kept when the severity of the category changes', () => {
  const parentalGuide = [{ category: 'Profanity', severity: 'Mild', votes: 7 } as const]
  const changedGuide = replaceSeverity(parentalGuide, 'Profanity', 'Severe')
  expect(changedGuide).toEqual([{ category: 'Profanity', severity: 'Severe', votes: 7 }])
  expect(getSeverity(changedGuide, 'Violence & Gore')).toBe('')
  expect(replaceSeverity(changedGuide, 'Profanity', '')).toEqual([])
  expect(replaceSeverity([], 'Violence & Gore', 'None')).toEqual([
    { category: 'Violence & Gore', severity: 'None', votes: 0 },
  ])
})

test('the form values of an import are converted to the declared option types, and empty values are omitted', () => {
  const importerOptions = [
    { name: 'folder', kind: 'folder', required: true },
    { name: 'limit', kind: 'integer', required: false },
    { name: 'adult', kind: 'flag', required: false },
    { name: 'note', kind: 'text', required: false },
  ] as const
  expect(
    parseImporterOptions(importerOptions, { folder: ' /srv/imdb ', limit: '50', adult: true, note: ' ' }),
  ).toEqual({
    folder: '/srv/imdb',
    limit: 50,
    adult: true,
  })
  expect(parseImporterOptions(importerOptions, { adult: false })).toEqual({})
  expect(parseImporterOptions(importerOptions, { limit: '٥٠' })).toEqual({ limit: 50 })
  expect(parseImporterOptions(importerOptions, { limit: '50x' })).toEqual({ limit: '50x' })
})

test.each([
  ['7', null],
  ['٧', null],
  ['', 'integer'],
  ['1.5', 'integer'],
  ['seven', 'integer'],
  ['0', 'range'],
  ['31', 'range'],
])('validation of %j against the range 1 to 30 returns %s', (inputText, validationError) => {
  expect(validateNumberSetting({ min: 1, max: 30 }, inputText)).toBe(validationError)
})

test.each([
  ['2026-11-20T11:59:40Z', 'common:justNow'],
  ['2026-11-20T11:25:00Z', '35 minutes ago'],
  ['2026-11-20T09:00:00Z', '3 hours ago'],
  ['2026-11-18T11:00:00Z', '2 days ago'],
  ['2026-09-01T11:00:00Z', '01/09/2026'],
  ['2026-11-20T12:00:05Z', 'common:justNow'],
])('the time since %s is formatted as "%s"', (isoTime, expectedText) => {
  expect(formatTimeSince(isoTime, Date.parse('2026-11-20T12:00:00Z'))).toBe(expectedText)
})

test.each([
  ['the folder has no title.basics.tsv.gz', 'file'],
  ['title.basics.tsv.gz is damaged: unexpected end of file', 'damaged'],
  ['title.basics.tsv.gz is empty', 'damaged'],
  ['title.akas.tsv.gz is not title.akas: no column titleId', 'header'],
  ['The file movie_ids_11_27_2026.json.gz is damaged: unexpected end of file', 'damaged'],
  ['The file movie_ids_11_27_2026.json.gz could not be fetched: fetch failed', 'unreachable'],
  ['TMDB has no file of movie ids for the last 3 days', 'noIdFile'],
  ['TMDB rejected TMDB_API_TOKEN: it must be an API read access token.', 'tokenRejected'],
  ['TMDB did not answer /tv/1 in 7 attempts: status 503. Run the import again to continue.', 'noAnswer'],
  ['TMDB responded to /movie/1 with status 422', 'unexpected'],
  ['TMDB returned an unexpected response for /movie/changes', 'unexpected'],
])('the importer error "%s" is replaced by the text with the key reason_%s', (errorMessage, reason) => {
  expect(formatImporterPhrase(errorMessage)).toBe(`dashboardsystem:reason_${reason}`)
})

test('every phrase in the source code of the importers is replaced by a translated text', () => {
  const importerPhrases = collectImporterPhrases()
  expect(importerPhrases.length).toBeGreaterThan(35)
  expect(importerPhrases.filter((phrase) => formatImporterPhrase(phrase) === phrase)).toEqual([])
})

// The pattern of reason_invalid accepts any two words, but is meant only for phrases that start with the name of a
// field.
test('an importer phrase is replaced by the text with the key reason_invalid only if the phrase starts with the name of a field', () => {
  const invalidFieldPhrases = collectImporterPhrases().filter(
    (phrase) => formatImporterPhrase(phrase) === 'dashboardsystem:reason_invalid',
  )
  expect(invalidFieldPhrases).toContain(`${SAMPLE_VALUE} is invalid`)
  expect(invalidFieldPhrases.filter((phrase) => !phrase.startsWith(`${SAMPLE_VALUE} `))).toEqual([])
})

test.each([
  ["reportSkip(report, location, 'has no age')", ['has no age']],
  [`reportSkip(report, location, isOld ? 'is old' : \`is \${age} years old\`)`, ['is old', 'is 7 years old']],
  ["countExcludedItems(report, 'old titles', oldCount)", ['old titles']],
  ["const OLD_RESULT = { skip: 'is old' }", ['is old']],
  ["throw new ImporterError('the file is old')", ['the file is old']],
  [
    "function findFault() { if (!age) return undefined; return 'has no age' }\n" +
      'const fault = findFault(); if (fault) reader.onDamagedLine(location, fault)',
    ['has no age'],
  ],
  ['const report = (reason: string) => reportSkip(report, location, reason)', []],
  [
    "function log(reason: string) {}\nconst reason = 'is new'\nreportSkip(report, location, reason)",
    ['is new'],
  ],
  [
    "function find() { const fault = 'is odd'\nif (x) return 'is bad'\nreturn fault }\nreportSkip(report, location, find())",
    ['is bad', 'is odd'],
  ],
])('in the source code %j, collectPhrases finds the phrases %j', (sourceText, expectedPhrases) => {
  expect(collectPhrases('example.ts', sourceText)).toEqual(expectedPhrases)
})

test('collectPhrases throws with file and line if the phrase of a call cannot be determined', () => {
  const sourceText = 'const location = 1\nreportSkip(report, location, REASONS.age)'
  expect(() => collectPhrases('example.ts', sourceText)).toThrow('example.ts:2')
})

test('the report of a job is formatted as text, and the fields that the progress display shows are omitted', () => {
  expect(
    describeFields({
      read: 5,
      stage: 'writing titles',
      skips: [],
      reasons: { 'adult titles': 3 },
      bytes: 2_000,
    }),
  ).toEqual([
    ['read', '5'],
    ['reasons', 'common:pair'],
    ['bytes', '2 kB'],
  ])
})
