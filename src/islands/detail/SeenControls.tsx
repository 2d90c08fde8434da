import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { CalendarCheck, Check, Eye } from '../../icons/index.ts'
import type { Episode, Season } from '../../lib/contract/media.ts'
import type { ViewingScope } from '../../lib/contract/viewings.ts'
import { t } from '../../lib/i18n/t.ts'
import { isMarkPending } from '../../lib/stores/pending-marks.ts'
import { $pendingWrites } from '../../lib/stores/pending-writes.ts'
import { markSeen } from '../../lib/stores/viewings.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { SeenOptionsDialog } from '../seen/SeenOptionsDialog.tsx'

interface Props {
  seriesId: string
  /** The episode that the controls change. If absent, they change the whole season. */
  episode?: Episode
  season: Pick<Season, 'season_number' | 'title'>
  /** True if the episode, or every released episode of the season, is finished. Undefined while this is not known. */
  isSeen: boolean | undefined
  /** Number of times that the episode was seen. */
  seenCount?: number | undefined
}

/**
 * Buttons for an episode or a season. Both have a button that opens the options. A season also has a button that marks
 * the season as seen, or opens the options if the season is already seen.
 */
export default function SeenControls({ seriesId, episode, season, isSeen, seenCount }: Props) {
  const pendingWrites = useStore($pendingWrites)
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const { season_number } = season
  const scope: ViewingScope = {
    type: 'tv',
    media_id: seriesId,
    season: season_number,
    ...(episode ? { scope: 'episode', episode: episode.episode_number } : { scope: 'season' }),
  }
  const name = episode
    ? (episode.title ?? t('common:episodeCode', { season: season_number, episode: episode.episode_number }))
    : (season.title ?? t('common:season_number', { number: season_number }))
  const isPending =
    episode !== undefined && isMarkPending(pendingWrites, { type: 'tv', id: seriesId }, episode)
  const isShownAsSeen = isPending || isSeen
  const Icon = isShownAsSeen ? Check : Eye
  return (
    <div className="flex items-center gap-3">
      {!episode && (
        <Button
          aria-pressed={isShownAsSeen}
          icon={<Icon aria-hidden size={18} className={isShownAsSeen ? 'text-good' : ''} />}
          onClick={() => (isShownAsSeen ? setIsDialogOpen(true) : void markSeen([scope]))}
        >
          {t(isShownAsSeen ? 'seen:seasonSeen' : 'seen:markSeason')}
        </Button>
      )}
      <IconButton
        label={t(isShownAsSeen && episode ? 'seen:seenOptions' : 'seen:options', { title: name })}
        onClick={() => setIsDialogOpen(true)}
      >
        {episode ? (
          <Icon aria-hidden size={20} className={isShownAsSeen ? 'text-good' : ''} />
        ) : (
          <CalendarCheck aria-hidden size={20} />
        )}
      </IconButton>
      {isDialogOpen && (
        <SeenOptionsDialog
          name={name}
          scope={scope}
          isSeen={isShownAsSeen === true}
          seenCount={seenCount}
          onClose={() => setIsDialogOpen(false)}
        />
      )}
    </div>
  )
}
