import { useStore } from '@nanostores/react'
import { ChevronDown } from '../../icons/index.ts'
import type { Episode, Season } from '../../lib/contract/media.ts'
import type { PlaybackProgress } from '../../lib/contract/progress.ts'
import { t } from '../../lib/i18n/t.ts'
import { isSpoiler } from '../../lib/rules/spoilers.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { Name } from '../media/Name.tsx'

/**
 * Returns a function that returns true if the preference "Hide spoilers" hides the title, overview and picture of an
 * episode.
 */
export function useSpoilerProtection(
  progress: readonly PlaybackProgress[] | undefined,
  seasons: readonly Season[],
): (episode: Episode) => boolean {
  const isProtectionOn = useStore($profile)?.preferences.hide_spoilers === true
  return (episode) => isProtectionOn && isSpoiler(episode, progress ?? [], seasons)
}

/** The title and the overview of an episode, hidden until the user opens them. */
export function HiddenOverview({ episode, className }: { episode: Episode; className: string }) {
  const { season_number: season, episode_number, title, overview } = episode
  if (title === null && overview === null) return null
  const episodeCode = t('common:episodeCode', { season, episode: episode_number })
  return (
    <details className={`group/overview text-sm text-muted ${className}`}>
      <summary
        aria-label={t('common:pair', { name: t('common:showDescription'), value: episodeCode })}
        className="inline-flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-md hover:text-ink"
      >
        <ChevronDown aria-hidden size={16} className="group-open/overview:rotate-180" />
        {t('common:showDescription')}
      </summary>
      {title !== null && (
        <p className="pb-1 font-semibold text-ink">
          <Name text={title} />
        </p>
      )}
      {overview !== null && (
        <p className="pb-2">
          <Name text={overview} lang={episode.overview_lang} />
        </p>
      )}
    </details>
  )
}
