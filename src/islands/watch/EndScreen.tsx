import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { RotateCw } from '../../icons/index.ts'
import type { MediaCard } from '../../lib/contract/media.ts'
import { formatDate } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'
import type { ReadyPlayerState } from '../../lib/stores/player.ts'
import { $nextEpisode, $upcomingEpisode } from '../../lib/stores/player-episodes.ts'
import { loadSimilarTitles } from '../../lib/stores/similar-titles.ts'
import { Button } from '../../ui/Button.tsx'
import { FeedbackButtons } from '../media/FeedbackButtons.tsx'
import { TitleName } from '../media/Name.tsx'
import { Poster } from '../media/Poster.tsx'
import { isInRemoteControlMode } from '../navigation-state.ts'
import { BackLink } from './BackLink.tsx'
import { $isNavigatingByKeyboard } from './controls.ts'
import { useCoveringScreen } from './covering-screen.ts'
import { $hasEnded, seekTo, startPlayback } from './video-element.ts'

const MAX_SIMILAR_TITLES = 6

/** Screen after a movie or the last available episode, with feedback buttons and similar titles. */
export function EndScreen({ readyPlayer }: { readyPlayer: ReadyPlayerState }) {
  const hasEnded = useStore($hasEnded)
  const nextEpisode = useStore($nextEpisode)
  if (!hasEnded || nextEpisode) return null
  return <EndScreenContent readyPlayer={readyPlayer} />
}

function EndScreenContent({ readyPlayer: { media } }: { readyPlayer: ReadyPlayerState }) {
  const upcomingEpisode = useStore($upcomingEpisode)
  const [similarTitles, setSimilarTitles] = useState<MediaCard[]>([])
  const actionsRef = useCoveringScreen('end', isInRemoteControlMode() || $isNavigatingByKeyboard.get())
  useEffect(() => {
    loadSimilarTitles(media).then(
      (titles) => setSimilarTitles(titles.slice(0, MAX_SIMILAR_TITLES)),
      () => {},
    )
  }, [media])
  return (
    <section
      aria-label={t('watch:theEnd')}
      data-controls
      className="edge pointer-events-auto absolute inset-0 z-10 flex flex-col gap-6 overflow-y-auto bg-black/85 py-8 text-ink"
    >
      <div className="m-auto flex w-full max-w-6xl flex-col gap-6">
        <div className="flex flex-col items-start gap-4">
          <p className="text-sm text-muted">{t('watch:theEnd')}</p>
          <h2 className="text-xl font-bold">
            <TitleName title={media} />
          </h2>
          {upcomingEpisode && (
            <p className="text-muted">
              {upcomingEpisode.released
                ? t('watch:nextNotInLibrary')
                : upcomingEpisode.air_date
                  ? t('watch:nextAirs', { date: formatDate(upcomingEpisode.air_date) })
                  : t('watch:nextUnknown')}
            </p>
          )}
          <div ref={actionsRef} className="flex flex-wrap items-center gap-3">
            <BackLink variant="primary" />
            <Button
              icon={<RotateCw aria-hidden size={20} />}
              onClick={() => {
                seekTo(0)
                startPlayback()
              }}
            >
              {t('watch:again')}
            </Button>
            <span className="ms-2 text-muted">{t('watch:howWasIt')}</span>
            <FeedbackButtons title={media} />
          </div>
        </div>
        {similarTitles.length > 0 && (
          <div>
            <h3 className="mb-3 text-lg font-bold">{t('watch:similar')}</h3>
            <ul className="grid grid-cols-3 gap-(--gap) md:grid-cols-6">
              {similarTitles.map((title) => (
                <li key={title.id}>
                  <Poster title={title} hasCaption />
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </section>
  )
}
