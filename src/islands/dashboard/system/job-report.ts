/**
 * Formats the input and the report of a job. The server sends field names and codes. Importers also send
 * English phrases.
 */
import type { Job } from '../../../lib/contract/admin.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import { formatNumber, t, translateDynamicKey } from '../../../lib/i18n/t.ts'
import { formatBytes } from '../kit/formatters.ts'

/** Fields that are not listed in the report, because only the progress display uses them. */
const HIDDEN_REPORT_FIELDS = ['stage', 'total']
/** Fields that contain phrases of an importer, as the keys of an object or in the items of a list. */
const REASON_REPORT_FIELDS = ['reasons', 'skips']

type ReasonKey =
  | 'adult'
  | 'bin'
  | 'category'
  | 'clash'
  | 'columns'
  | 'damaged'
  | 'defaultFolder'
  | 'encoding'
  | 'episodeNumber'
  | 'episodeTaken'
  | 'file'
  | 'folder'
  | 'gone'
  | 'header'
  | 'id'
  | 'invalid'
  | 'json'
  | 'name'
  | 'noAnswer'
  | 'noIdFile'
  | 'notSent'
  | 'option'
  | 'ordering'
  | 'person'
  | 'priority'
  | 'rating'
  | 'repeated'
  | 'title'
  | 'token'
  | 'tokenRejected'
  | 'type'
  | 'unexpected'
  | 'unreachable'
  | 'votes'

/**
 * Patterns of the phrases of server/importers, with the keys of their translations. The text that the first capturing
 * group of a pattern matches becomes `value` in the translation.
 */
const REASON_PATTERNS: [RegExp, ReasonKey][] = [
  [/^has \d+ columns, not \d+$/, 'columns'],
  [/^is not UTF-8 text$/, 'encoding'],
  [/^is not JSON$/, 'json'],
  [/^does not begin with an id$|^is not an id$/, 'id'],
  [/^has no name$/, 'name'],
  [/^has no title or no (?:type|number)$/, 'title'],
  [/^has no valid person$/, 'person'],
  [/^has no category$/, 'category'],
  [/^has no valid ordering$/, 'ordering'],
  [/^is not a rating$/, 'rating'],
  [/^has no episode number$|^episodes without a number$/, 'episodeNumber'],
  [/^episodes with a number that is already taken$/, 'episodeTaken'],
  [/^repeats \S+$|^the source has already delivered this title$/, 'repeated'],
  [/^titles of another type \((.+)\)$/, 'type'],
  [/^titles and episodes with fewer than (\d+) votes$/, 'votes'],
  [/^adult titles(?: and videos)?$|^is for adults$/, 'adult'],
  [/^(?:no file|the folder has no) (.+)$/, 'file'],
  [/^a source with higher priority has already described it$/, 'priority'],
  [/^is in the bin$/, 'bin'],
  [/^its ids belong to another title$/, 'clash'],
  [/^--folder: the default folder does not exist$/, 'defaultFolder'],
  [/^--folder: (.+) does not exist$/, 'folder'],
  [/^--[\w-]+ must be .*, not "(.*)"$/, 'option'],
  [/^(?:The file )?(.+) is (?:damaged: .+|empty)$/, 'damaged'],
  [/^\S+ is not \S+: no column (.+)$/, 'header'],
  [/^TMDB_API_TOKEN is not set.*$/, 'token'],
  [/^TMDB rejected TMDB_API_TOKEN.*$/, 'tokenRejected'],
  [/^TMDB did not answer \S+ in \d+ attempts: (.+)\. Run the import again to continue\.$/, 'noAnswer'],
  [
    /^TMDB (?:responded to|returned an unexpected response for|sent a search result) .+$|^the response is not as TMDB documents it$/,
    'unexpected',
  ],
  [/^TMDB has no file of .+$/, 'noIdFile'],
  [/^The file (\S+) could not be fetched: .+$/, 'unreachable'],
  [/^TMDB no longer has it$/, 'gone'],
  [/^TMDB could not send it\b.+$/, 'notSent'],
  [/^(\S+) (?:is invalid|\w+)$/, 'invalid'],
]

/** Translates an English error or skip reason of an importer. A phrase without a translation is returned as it is. */
export function formatImporterPhrase(phrase: string): string {
  for (const [pattern, key] of REASON_PATTERNS) {
    const match = pattern.exec(phrase)
    if (match) return t(`dashboardsystem:reason_${key}`, { value: isolateBidi(match[1] ?? '') })
  }
  return isolateBidi(phrase)
}

/**
 * Returns the failure message of a job: a translated code, or a translated phrase of an importer. If the job has no
 * message, the text says that no reason was given.
 */
export const formatJobFailure = ({ message }: Pick<Job, 'message'>) =>
  message === null
    ? t('dashboard:noReason')
    : translateDynamicKey(`dashboard:message_${message}`, formatImporterPhrase(message))

/** Returns the displayed fields as pairs of a translated name and a formatted value. */
export function describeFields(values: Record<string, unknown>): [string, string][] {
  return Object.entries(values)
    .filter(([name, value]) => !HIDDEN_REPORT_FIELDS.includes(name) && !isEmpty(value))
    .map(([name, value]) => [formatFieldName(name), formatFieldValue(name, value)])
}

const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

/** Translates a field name of a report or the name of an importer option. */
const formatFieldName = (name: string) =>
  translateDynamicKey(
    `dashboard:report_${name}`,
    translateDynamicKey(`dashboardlibrary:option_${name}`, name),
  )

function formatFieldValue(name: string, value: unknown): string {
  if (name === 'bytes' && typeof value === 'number') return formatBytes(value)
  if (REASON_REPORT_FIELDS.includes(name)) return formatReasons(value)
  if (typeof value === 'string') return translateDynamicKey(`dashboard:value_${value}`, isolateBidi(value))
  return formatValue(value)
}

function formatReasons(value: unknown): string {
  if (Array.isArray(value)) return value.map((line) => formatSkip(String(line))).join(' · ')
  return Object.entries(value as Record<string, number>)
    .map(([phrase, phraseCount]) =>
      t('common:pair', { name: formatImporterPhrase(phrase), value: formatNumber(phraseCount) }),
    )
    .join(' · ')
}

/** Formats a line about a skipped item, `location: phrase`. The phrase is the reason and is translated. */
function formatSkip(line: string): string {
  const [, skipLocation = '', phrase = ''] = /^(.*?): (.+)$/.exec(line) ?? []
  return phrase
    ? t('common:pair', { name: isolateBidi(skipLocation), value: formatImporterPhrase(phrase) })
    : isolateBidi(line)
}

function formatValue(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'boolean') return t(value ? 'dashboard:isOn' : 'dashboard:isOff')
  if (typeof value === 'string') return isolateBidi(value)
  if (value === null || value === undefined) return '—'
  if (Array.isArray(value)) return value.map(formatValue).join(' · ') || '—'
  return Object.entries(value)
    .map(([name, fieldValue]) =>
      t('common:pair', { name: formatFieldName(name), value: formatValue(fieldValue) }),
    )
    .join(' · ')
}

const SUMMARY_REPORT_FIELDS = ['added', 'changed', 'removed', 'matched', 'made', 'skipped']

/**
 * Returns the counts in the report of a finished job, such as `Added: 12 · Changed: 3`; empty if all of them are 0.
 */
export function formatJobSummary({ report }: Pick<Job, 'report'>): string {
  return SUMMARY_REPORT_FIELDS.flatMap((name) => {
    const value = report?.[name]
    return typeof value === 'number' && value > 0
      ? [t('common:pair', { name: formatFieldName(name), value: formatNumber(value) })]
      : []
  }).join(' · ')
}
