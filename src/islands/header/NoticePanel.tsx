import { useStore } from '@nanostores/react'
import { BellOff } from '../../icons/index.ts'
import type { Notice } from '../../lib/contract/notices.ts'
import { formatQuality } from '../../lib/i18n/format.ts'
import { formatRelativeTime, formatStandaloneTime } from '../../lib/i18n/format-instant.ts'
import { getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'
import { isOnCurrentLocalDay } from '../../lib/rules/calendar-days.ts'
import { groupNotices } from '../../lib/rules/notice-groups.ts'
import {
  $notices,
  $noticesLoadState,
  markAllNoticesSeen,
  markNoticesSeen,
} from '../../lib/stores/notice-panel.ts'
import { $unseenNoticeCount } from '../../lib/stores/notices.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { setNoticesMuted } from '../../lib/stores/recommendation-settings.ts'
import { TitleName } from '../media/Name.tsx'
import { SmallPoster } from '../media/SmallPoster.tsx'
import { SectionPlaceholder } from '../SectionPlaceholder.tsx'

export default function NoticePanel() {
  const notices = useStore($notices)
  // The count is loaded separately, because the list of notices is limited and may lack unseen notices.
  const unseenCount = useStore($unseenNoticeCount)
  const todayNotices = notices.filter((notice) => isOnCurrentLocalDay(notice.created_at))
  const earlierNotices = notices.filter((notice) => !todayNotices.includes(notice))
  const areNoticesLoaded = useStore($noticesLoadState).data === true
  const isKids = useStore($profile)?.kids === true
  return (
    <section aria-labelledby="notices-heading">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="notices-heading" className="px-3 font-bold">
          {t('header:notifications')}
        </h2>
        {unseenCount > 0 && (
          <button
            type="button"
            className="min-h-11 px-3 text-sm text-accent hover:underline"
            onClick={() => void markAllNoticesSeen()}
          >
            {t('header:markAllRead')}
          </button>
        )}
      </div>
      <SectionPlaceholder $read={$noticesLoadState}>
        <div role="status" aria-label={t('common:loading')} className="p-3">
          <div className="skeleton h-18" />
        </div>
      </SectionPlaceholder>
      {areNoticesLoaded && notices.length === 0 && (
        <div className="p-6 text-center">
          <p className="font-semibold">{t('header:noNotifications')}</p>
          <p className="text-sm text-muted">{t('header:noNotificationsHint')}</p>
        </div>
      )}
      <NoticeSection heading={t('header:today')} notices={todayNotices} />
      <NoticeSection heading={t('header:earlier')} notices={earlierNotices} />
      {!isKids && (
        <div className="border-t border-line pt-1">
          <AccountTabLink tab="notices" text={t('header:notificationSettings')} />
          <AccountTabLink tab="taste" text={t('header:mutedTitles')} />
        </div>
      )}
    </section>
  )
}

function AccountTabLink({ tab, text }: { tab: string; text: string }) {
  return (
    <a
      className="flex min-h-11 items-center rounded-md px-3 text-sm text-muted hover:bg-raised hover:text-ink"
      href={href('account', getCurrentLocale(), { query: { tab } })}
    >
      {text}
    </a>
  )
}

function NoticeSection({ heading, notices }: { heading: string; notices: Notice[] }) {
  if (notices.length === 0) return null
  return (
    <section aria-label={heading}>
      <h3 className="px-3 py-1 text-sm font-semibold text-muted">{heading}</h3>
      <ul>
        {groupNotices(notices).map((group) => {
          const [notice] = group
          return (
            notice && (
              <li key={notice.notification_id} className="flex items-center">
                <NoticeLink notices={group} notice={notice} />
                {/* The notice of a watch request cannot be muted, because a watch request needs an answer. */}
                {notice.kind !== 'request' && (
                  <button
                    type="button"
                    aria-label={t('header:mute', { title: notice.media.title })}
                    title={t('header:mute', { title: notice.media.title })}
                    onClick={() => void setNoticesMuted(notice.media, true)}
                    className="grid size-11 shrink-0 place-items-center rounded-full text-muted hover:text-ink"
                  >
                    <BellOff aria-hidden size={18} />
                  </button>
                )}
              </li>
            )
          )
        })}
      </ul>
    </section>
  )
}

/** Returns `S2 E4` for one episode, and `S2 E4 – E6` for several. */
function formatEpisodes({ season = 0, episode = 0 }: Notice, lastEpisode = episode): string {
  return lastEpisode === episode
    ? t('common:episodeCode', { season, episode })
    : t('common:episodeRange', { season, first: episode, last: lastEpisode })
}

/**
 * The link of a group of notices; `notice` is the first notice of the group. The link of episodes selects their
 * season on the title page.
 */
function NoticeLink({ notices, notice }: { notices: readonly Notice[]; notice: Notice }) {
  const { media: title, season } = notice
  const noticeText =
    notice.kind === 'episode'
      ? t('header:episodeAvailable', { code: formatEpisodes(notice, notices.at(-1)?.episode) })
      : notice.quality
        ? t('header:qualityAvailable', { quality: formatQuality(notice.quality) })
        : t(notice.kind === 'request' ? 'header:childAsks' : 'header:nowAvailable')
  const locale = getCurrentLocale()
  const targetHref =
    notice.kind === 'request'
      ? href('account', locale, { query: { tab: 'family' } })
      : href(title.type === 'movie' ? 'movie' : 'tvshow', locale, {
          slug: title.slug,
          ...(season !== undefined && { query: { season } }),
        })
  return (
    <a
      href={targetHref}
      onClick={() => {
        if (!notice.seen) void markNoticesSeen(notices)
      }}
      className="flex min-w-0 grow flex-wrap gap-3 rounded-md p-2 hover:bg-raised"
    >
      <SmallPoster posterPath={title.poster_path} />
      {/* With large text, the description moves below the poster. */}
      <span className="min-w-0 grow" style={{ flexBasis: '8rem' }}>
        <TitleName title={title} className="block truncate font-semibold" />
        <span className="block text-sm text-muted">{noticeText}</span>
        <span className="block text-xs text-faint">
          {formatStandaloneTime(formatRelativeTime(notice.created_at))}
        </span>
      </span>
      {!notice.seen && (
        <span className="ms-auto size-2 shrink-0 rounded-full bg-accent">
          <span className="sr-only">{t('header:unread')}</span>
        </span>
      )}
    </a>
  )
}
