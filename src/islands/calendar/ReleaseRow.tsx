import { useStore } from '@nanostores/react'
import { Eye } from '../../icons/index.ts'
import type { MediaCard } from '../../lib/contract/media.ts'
import { t } from '../../lib/i18n/t.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { Name, TitleName } from '../media/Name.tsx'
import { SmallPoster } from '../media/SmallPoster.tsx'
import { getTitleHref } from '../media/title-urls.ts'
import { formatEpisodes, getEpisodeTitle, type ReleaseGroup } from './group-releases.ts'

/**
 * A movie, or the episodes of a season that are released on a day. The row links to the title page. For a series, the
 * link selects the season.
 */
export function ReleaseRow({ group, title }: { group: ReleaseGroup; title: MediaCard }) {
  const areSpoilersHidden = useStore($profile)?.preferences.hide_spoilers ?? false
  const [{ season }] = group
  const episodeTitle = getEpisodeTitle(group, areSpoilersHidden)
  const isSeen = group.every((release) => release.seen)
  const query = season === null ? '' : `?season=${season}`
  return (
    <li>
      <a
        href={`${getTitleHref(title)}${query}`}
        className="flex min-w-0 items-center gap-4 rounded-md py-2 hover:bg-raised"
      >
        <SmallPoster posterPath={title.poster_path} />
        <span className="min-w-0 wrap-anywhere">
          <TitleName title={title} className="clamp-2 block font-semibold" />
          <span className="block text-sm text-muted">
            <bdi>{formatEpisodes(group) || t('calendar:movie')}</bdi>
            {episodeTitle && (
              <>
                {' · '}
                <Name text={episodeTitle} />
              </>
            )}
          </span>
          {isSeen && (
            <span className="flex items-center gap-2 text-sm text-muted">
              <Eye aria-hidden size={14} />
              {t('common:seen')}
            </span>
          )}
        </span>
      </a>
    </li>
  )
}
