/** Writes the texts of push notifications and emails about notices, in the language of the profile. */
import type { MediaCard } from '../../../src/lib/contract/media.ts'
import { getTextDirection, type Locale } from '../../../src/lib/i18n/locales.ts'
import { href } from '../../../src/lib/routes.ts'
import type { NoticeRow } from '../../queries/notice.ts'
import { createTranslate, type Translate, toMessageLocale } from '../operations/message-texts.ts'

/**
 * Data of a notification that the service worker displays. It replaces an earlier notification with the same
 * `tag`.
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

/** Notices of more titles than this are combined in one notification. */
const MAX_NOTIFICATIONS = 3
/** Maximum number of names in a text. Further names are omitted. */
const MAX_NAMES = 4

interface NoticeContent {
  siteName: string
  language: string
  notices: readonly NoticeRow[]
  cardsByTitleId: ReadonlyMap<number, MediaCard>
}

/**
 * Returns one payload per title, or one for all titles if there are more than MAX_NOTIFICATIONS. Omits
 * notices of titles without a card.
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
  const noticeGroups = groupByTitle(notices, cardsByTitleId)
  if (noticeGroups.length > MAX_NOTIFICATIONS)
    return [
      {
        ...languageFields,
        title: translate('mail:noticeSeveral'),
        body: joinNames(
          lang,
          noticeGroups.map(({ card }) => card.title),
        ),
        path: href('home', lang),
        tag: 'notices',
      },
    ]
  return noticeGroups.map(({ card, titleNotices }) => ({
    ...languageFields,
    title: card.title,
    body: describeNotices(lang, translate, titleNotices),
    path: buildTitlePath(lang, card),
    tag: `notice-${card.id}`,
  }))
}

export function groupByTitle(notices: readonly NoticeRow[], cardsByTitleId: ReadonlyMap<number, MediaCard>) {
  return [...Map.groupBy(notices, (notice) => notice.title_id)].flatMap(([titleId, titleNotices]) => {
    const card = cardsByTitleId.get(titleId)
    return card ? [{ card, titleNotices }] : []
  })
}

export const buildTitlePath = (locale: Locale, { type, slug }: MediaCard) =>
  href(type === 'movie' ? 'movie' : 'tvshow', locale, { slug })

/** Returns a text about the new releases of a title, such as `S1 E2 and S1 E3 are available`. */
export function describeNotices(locale: Locale, translate: Translate, notices: readonly NoticeRow[]): string {
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
  const shownNames = names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES - 1), '…'] : names
  const listType = names.length > MAX_NAMES ? 'unit' : 'conjunction'
  return new Intl.ListFormat(locale, { type: listType }).format(shownNames)
}
