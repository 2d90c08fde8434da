/** Renders releases as iCalendar (RFC 5545). */
import { readFileSync } from 'node:fs'
import ical, { ICalCalendarMethod, ICalEventTransparency } from 'ical-generator'
import type { MediaCard } from '../../../src/lib/contract/media.ts'
import { FALLBACK_LOCALE, isLocale, LOCALES } from '../../../src/lib/i18n/locales.ts'
import { href } from '../../../src/lib/routes.ts'
import type { ReleaseRow } from '../../queries/release.ts'

/** Interval at which calendar programs should read the calendar. */
const REFRESH_INTERVAL_SECONDS = 6 * 3_600

/**
 * Control characters, which a text in iCalendar must not contain (RFC 5545, section 3.1), and separators at which some
 * calendar programs end a line.
 */
const UNSUPPORTED_CHARACTER_PATTERN = /[\p{Cc}\u2028\u2029]+/gu

/** Format of episode numbers by locale, from the files that translators edit. */
const EPISODE_CODE_FORMATS_BY_LOCALE = new Map(
  LOCALES.map((locale) => [locale, readEpisodeCodeFormat(locale)]),
)

function readEpisodeCodeFormat(locale: string): string {
  const messagesFileUrl = new URL(`../../../src/i18n/${locale}/common.json`, import.meta.url)
  return (JSON.parse(readFileSync(messagesFileUrl, 'utf8')) as { episodeCode: string }).episodeCode
}

interface CalendarContent {
  siteName: string
  publicUrl: URL
  profileName: string
  /** Language of the texts and links. */
  language: string
  /** True to omit the titles of episodes that the profile has not watched. */
  hidesSpoilers: boolean
  releases: readonly ReleaseRow[]
  cardsByTitleId: ReadonlyMap<number, MediaCard>
  /** Time of the last change by title id, in milliseconds since 1970. */
  changedAtMsByTitleId: ReadonlyMap<number, number>
  /** Start of the current day in UTC, in milliseconds since 1970. */
  todayMs: number
}

/**
 * Returns the calendar as text. The same content gives the same text on the same day, so that the hash of the text can
 * be an ETag.
 */
export function renderCalendar(content: CalendarContent): string {
  const { siteName, profileName, publicUrl, releases, cardsByTitleId, changedAtMsByTitleId, todayMs } =
    content
  const locale = isLocale(content.language) ? content.language : FALLBACK_LOCALE
  const calendar = ical({
    name: `${siteName}: ${profileName}`,
    prodId: { company: 'Marquee', product: 'Marquee', language: locale.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_INTERVAL_SECONDS,
  })
  for (const release of releases) {
    const card = cardsByTitleId.get(release.title_id)
    if (!card) continue
    // The text of an event also changes with preferences of the profile and with what it has seen. The times of these
    // changes are not stored. All events therefore count as changed every day, and replace the events of the day
    // before.
    const changedAt = new Date(Math.max(changedAtMsByTitleId.get(release.title_id) ?? 0, todayMs))
    const pagePath = href(card.type === 'movie' ? 'movie' : 'tvshow', locale, { slug: card.slug })
    calendar.createEvent({
      id: `${buildReleaseKey(release)}@${publicUrl.hostname}`,
      allDay: true,
      start: release.date,
      summary: formatSummary(
        content,
        release,
        card,
        EPISODE_CODE_FORMATS_BY_LOCALE.get(locale) ?? '',
      ).replace(UNSUPPORTED_CHARACTER_PATTERN, ' '),
      url: new URL(pagePath, publicUrl).href,
      // A release must not mark its day as busy.
      transparency: ICalEventTransparency.TRANSPARENT,
      stamp: changedAt,
      lastModified: changedAt,
      // A program applies a changed event only if its sequence number has grown.
      sequence: Math.floor(changedAt.getTime() / 1_000),
    })
  }
  // RFC 5545 requires a line break after the last line, but `toString()` leaves it out.
  return `${calendar.toString()}\r\n`
}

/** Returns a key of the release. The key stays the same when the date of the release changes. */
const buildReleaseKey = ({ title_id, season_number, episode_number }: ReleaseRow) =>
  season_number > 0 ? `tv-${title_id}-${season_number}-${episode_number}` : `movie-${title_id}`

function formatSummary(
  { hidesSpoilers }: CalendarContent,
  release: ReleaseRow,
  card: MediaCard,
  episodeCodeFormat: string,
): string {
  if (release.season_number === 0) return card.title
  const episodeCode = episodeCodeFormat
    .replace('{{season}}', String(release.season_number))
    .replace('{{episode}}', String(release.episode_number))
  const episodeName = hidesSpoilers && release.seen === 0 ? null : release.name
  return [`${card.title} ${episodeCode}`, ...(episodeName ? [episodeName] : [])].join(' · ')
}
