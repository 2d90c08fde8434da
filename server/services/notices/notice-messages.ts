/** Writes the texts of push notifications and emails about notices, in the language of the profile. */
import type { MediaCard } from '../../../src/lib/contract/media.ts'
import { getTextDirection, type Locale } from '../../../src/lib/i18n/locales.ts'
import { href } from '../../../src/lib/routes.ts'
import type { NoticeRow } from '../../queries/notice.ts'
import { createTranslate, type Translate, toMessageLocale } from '../operations/message-texts.ts'

/**
 * Data of a notification that the service worker displays. The notification replaces an earlier notification with the
 * same `tag`.
 */
export interface PushPayload {
  title: string
  body: string
  /** Path of the page that the notification opens. */
  path: string
  tag: string
  lang: Locale
  dir: 'ltr' | 'rtl'
}

/** Maximum number of separate notifications. Notices of more titles are combined in one notification. */
const MAX_NOTIFICATIONS = 3
/** Maximum number of names in a text. Further names are omitted. */
const MAX_LISTED_NAMES = 4

interface NoticeContent {
  siteName: string
  language: string
  notices: readonly NoticeRow[]
  cardsByTitleId: ReadonlyMap<number, MediaCard>
}

/**
 * Returns one payload per title, or one payload for all titles if there are more titles than MAX_NOTIFICATIONS. The
 * notices about watch requests are counted separately. Their notifications open the page on which a parent answers
 * watch requests. Omits notices of titles without a card.
 */
export function buildPushPayloads({
  siteName,
  language,
  notices,
  cardsByTitleId,
}: NoticeContent): PushPayload[] {
  const lang = toMessageLocale(language)
  const translate = createTranslate(lang, { site: siteName })
  const languageFields = { lang, dir: getTextDirection(lang) }
  const { requests, releases } = splitNotices(notices)
  const buildPayloads = (
    noticeGroups: NoticeGroup[],
    tagPrefix: string,
    combinedFields: Pick<PushPayload, 'title' | 'path' | 'tag'>,
  ): PushPayload[] => {
    const cardTitles = noticeGroups.map(({ card }) => card.title)
    if (noticeGroups.length > MAX_NOTIFICATIONS)
      return [{ ...languageFields, ...combinedFields, body: joinNames(lang, cardTitles) }]
    return noticeGroups.map(({ card, titleNotices }) => ({
      ...languageFields,
      title: card.title,
      body: describeNotices(lang, translate, titleNotices),
      path: buildNoticePath(lang, card, titleNotices),
      tag: `${tagPrefix}-${card.id}`,
    }))
  }
  return [
    ...buildPayloads(groupByTitle(requests, cardsByTitleId), 'request', {
      title: translate('mail:noticeRequests'),
      path: buildRequestsPath(lang),
      tag: 'requests',
    }),
    ...buildPayloads(groupByTitle(releases, cardsByTitleId), 'notice', {
      title: translate('mail:noticeSeveral'),
      path: href('home', lang),
      tag: 'notices',
    }),
  ]
}

/** Separates the notices about watch requests of children from the notices about new or available titles. */
export function splitNotices(notices: readonly NoticeRow[]): {
  requests: NoticeRow[]
  releases: NoticeRow[]
} {
  return {
    requests: notices.filter(({ kind }) => kind === 'request'),
    releases: notices.filter(({ kind }) => kind !== 'request'),
  }
}

interface NoticeGroup {
  card: MediaCard
  titleNotices: NoticeRow[]
}

export function groupByTitle(
  notices: readonly NoticeRow[],
  cardsByTitleId: ReadonlyMap<number, MediaCard>,
): NoticeGroup[] {
  return [...Map.groupBy(notices, (notice) => notice.title_id)].flatMap(([titleId, titleNotices]) => {
    const card = cardsByTitleId.get(titleId)
    return card ? [{ card, titleNotices }] : []
  })
}

export const buildTitlePath = (locale: Locale, { type, slug }: MediaCard) =>
  href(type === 'movie' ? 'movie' : 'tvshow', locale, { slug })

/** Returns the path of the page on which a parent answers watch requests. */
const buildRequestsPath = (locale: Locale) => href('account', locale, { query: { tab: 'family' } })

/** Returns the path of the page that the notices of a title open. */
export const buildNoticePath = (locale: Locale, card: MediaCard, notices: readonly NoticeRow[]) =>
  notices.some(({ kind }) => kind === 'request') ? buildRequestsPath(locale) : buildTitlePath(locale, card)

/** Returns a text about the notices of a title, such as `S1 E2 and S1 E3 are available`. */
export function describeNotices(locale: Locale, translate: Translate, notices: readonly NoticeRow[]): string {
  if (notices.some((notice) => notice.kind === 'request')) return translate('mail:noticeRequest')
  const episodeNotices = notices.filter((notice) => notice.kind === 'episode')
  if (episodeNotices.length > 0)
    return translate('mail:noticeEpisodes', {
      codes: joinNames(
        locale,
        episodeNotices.map((notice) =>
          translate('common:episodeCode', { season: notice.season_number, episode: notice.episode_number }),
        ),
      ),
    })
  const isHighQuality = notices.some((notice) => notice.kind === 'high_quality')
  return translate(isHighQuality ? 'mail:noticeQuality' : 'mail:noticeAvailable')
}

function joinNames(locale: Locale, names: readonly string[]): string {
  const shownNames = names.length > MAX_LISTED_NAMES ? [...names.slice(0, MAX_LISTED_NAMES - 1), '…'] : names
  const listType = names.length > MAX_LISTED_NAMES ? 'unit' : 'conjunction'
  return new Intl.ListFormat(locale, { type: listType }).format(shownNames)
}
