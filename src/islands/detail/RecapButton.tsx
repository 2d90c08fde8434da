import { useEffect, useState } from 'react'
import { BookOpen } from '../../icons/index.ts'
import type { Season } from '../../lib/contract/media.ts'
import type { PlaybackProgress } from '../../lib/contract/progress.ts'
import { t } from '../../lib/i18n/t.ts'
import { loadRecap, type Recap } from '../../lib/stores/recap.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Name } from '../media/Name.tsx'

/**
 * Number of episodes that the recap shows at first, and that its button adds at each press. This number of episodes
 * fits on the screen of a television.
 */
const EPISODES_PER_STEP = 8

interface Props {
  seasons: Season[]
  /** Progress of the profile in the episodes of the series. */
  progress: PlaybackProgress[]
}

/** Button that opens the recap of a series. */
export default function RecapButton(recapProps: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button icon={<BookOpen aria-hidden size={18} />} onClick={() => setIsOpen(true)}>
        {t('detail:recap')}
      </Button>
      {isOpen && <RecapDialog {...recapProps} onClose={() => setIsOpen(false)} />}
    </>
  )
}

/** The overviews of the episodes that the profile has seen, in order. At first, only the last episodes are shown. */
function RecapDialog({ seasons, progress, onClose }: Props & { onClose: () => void }) {
  const [episodeCount, setEpisodeCount] = useState(EPISODES_PER_STEP)
  const [recap, setRecap] = useState<Recap | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  useEffect(() => {
    let isCurrent = true
    setHasFailed(false)
    loadRecap(seasons, progress, episodeCount).then(
      (loadedRecap) => isCurrent && setRecap(loadedRecap),
      () => isCurrent && setHasFailed(true),
    )
    return () => {
      isCurrent = false
    }
  }, [seasons, progress, episodeCount])
  return (
    <Dialog isWide title={t('detail:recap')} closeLabel={t('common:close')} onClose={onClose}>
      {hasFailed && <p role="alert">{t('errors:network')}</p>}
      {!recap && !hasFailed && <div aria-hidden className="skeleton h-24" />}
      {recap?.hasEarlierEpisodes && (
        <Button className="self-start" onClick={() => setEpisodeCount(episodeCount + EPISODES_PER_STEP)}>
          {t('detail:recapEarlier')}
        </Button>
      )}
      {recap?.episodes.length === 0 && <p className="text-muted">{t('detail:recapEmpty')}</p>}
      <ol className="flex flex-col gap-4">
        {recap?.episodes.map((episode) => (
          <li key={episode.id}>
            <h3 className="font-semibold">
              <span className="numbers text-muted">
                {t('common:episodeCode', { season: episode.season_number, episode: episode.episode_number })}
              </span>{' '}
              <Name text={episode.title} />
            </h3>
            <p dir="auto" lang={episode.overview_lang}>
              {episode.overview}
            </p>
          </li>
        ))}
      </ol>
      {recap && (
        <Button variant="primary" className="self-end" onClick={onClose}>
          {t('common:close')}
        </Button>
      )}
    </Dialog>
  )
}
