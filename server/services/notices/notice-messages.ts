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
  cards: ReadonlyMap<number, MediaCard>
}

/**
 * Returns one payload per title, or one for all titles if there are more than MAX_NOTIFICATIONS. Omits
 * notices of titles without a card.
 */
export function buildPushPayloads({ siteName, language, notices, cards }: NoticeContent): PushPayload[] {
  const lang = toMessageLocale(language)
  const translate = createTranslate(lang, { site: siteName })
  const page = { lang, dir: getTextDirection(lang) }
  const groups = groupByTitle(notices, cards)
  if (groups.length > MAX_NOTIFICATIONS)
    return [
      {
        ...page,
        title: translate('mail:noticeSeveral'),
        body: joinNames(
          lang,
          groups.map(({ card }) => card.title),
        ),
        path: href('home', lang),
        tag: 'notices',
      },
    ]
  return groups.map(({ card, titleNotices }) => ({
    ...page,
    title: card.title,
    body: describeNotices(lang, translate, titleNotices),
    path: buildTitlePath(lang, card),
    tag: `notice-${card.id}`,
  }))
}

export function groupByTitle(notices: readonly NoticeRow[], cards: ReadonlyMap<number, MediaCard>) {
  return [...Map.groupBy(notices, (notice) => notice.title_id)].flatMap(([titleId, titleNotices]) => {
    const card = cards.get(titleId)
    return card ? [{ card, titleNotices }] : []
  })
}

export const buildTitlePath = (locale: Locale, { type, slug }: MediaCard) =>
  href(type === 'movie' ? 'movie' : 'tvshow', locale, { slug })

/** Returns a text about the new releases of a title, such as `S1 E2 and S1 E3 are available`. */
export function describeNotices(locale: Locale, translate: Translate, notices: readonly NoticeRow[]): string {
  const episodes = notices.filter((notice) => notice.kind === 'episode')
  if (episodes.length > 0)
    return translate('mail:noticeEpisodes', {
      codes: joinNames(
        locale,
        episodes.map((notice) =>
          translate('common:episodeCode', { season: notice.season_number, episode: notice.episode_number }),
        ),
      ),
    })
  const isHighQuality = notices.some((notice) => notice.kind === 'high_quality')
  return translate(isHighQuality ? 'mail:noticeQuality' : 'mail:noticeAvailable')
}

function joinNames(locale: Locale, names: readonly string[]): string {
  const shownNames = names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES - 1), '…'] : names
  const type = names.length > MAX_NAMES ? 'unit' : 'conjunction'
  return new Intl.ListFormat(locale, { type }).format(shownNames)
}
