import { useStore } from '@nanostores/react'
import {
  Captions,
  Cast,
  Layers,
  Maximize,
  Minimize,
  PictureInPicture2,
  SkipForward,
  SlidersHorizontal,
} from 'lucide-react'
import { formatClock } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { $nextEpisode, type Ready } from '../../lib/stores/player.ts'
import { $panel, openPanel } from './controls.ts'
import { $duration, $time } from './deck.ts'
import { Knob } from './Knob.tsx'
import { playEpisode } from './next.ts'
import {
  $castable,
  $fullscreen,
  cast,
  offersPictureInPicture,
  toggleFullscreen,
  togglePictureInPicture,
} from './screens.ts'
import { Timeline } from './Timeline.tsx'
import { Transport } from './Transport.tsx'
import { $caption } from './tracks.ts'
import { Volume } from './Volume.tsx'

export function BottomBar({ ready }: { ready: Ready }) {
  return (
    <div className="edge flex flex-col gap-1 pb-[max(1rem,env(safe-area-inset-bottom))] text-white md:gap-2">
      <div dir="ltr" className="flex items-center gap-4">
        <TimeLabel value="position" />
        <Timeline />
        <TimeLabel value="duration" />
      </div>
      <div className="-mx-2.5 flex items-center gap-1">
        <div className="max-md:hidden">
          <Transport />
        </div>
        <Volume />
        <div className="ms-auto flex items-center gap-1">
          <EpisodeButtons ready={ready} />
          <PanelButtons />
          <DisplayModeButtons />
        </div>
      </div>
    </div>
  )
}

function TimeLabel({ value }: { value: 'position' | 'duration' }) {
  const seconds = useStore(value === 'position' ? $time : $duration)
  return <span className="numbers text-sm">{formatClock(seconds)}</span>
}

function EpisodeButtons({ ready }: { ready: Ready }) {
  const nextEpisode = useStore($nextEpisode)
  const openPanelName = useStore($panel)
  if (!ready.episode) return null
  return (
    <>
      {nextEpisode && (
        <Knob label={t('watch:next')} onClick={() => playEpisode(nextEpisode)}>
          <SkipForward aria-hidden />
        </Knob>
      )}
      <Knob
        label={t('watch:episodes')}
        aria-haspopup="dialog"
        aria-expanded={openPanelName === 'episodes'}
        onClick={() => openPanel('episodes')}
      >
        <Layers aria-hidden />
      </Knob>
    </>
  )
}

function PanelButtons() {
  const openPanelName = useStore($panel)
  const caption = useStore($caption)
  return (
    <>
      <Knob
        label={t('watch:captions')}
        aria-haspopup="true"
        aria-expanded={openPanelName === 'captions'}
        onClick={() => openPanel('captions')}
      >
        <Captions aria-hidden />
        {caption && <span className="absolute inset-x-3 bottom-1.5 h-0.5 rounded-full bg-accent" />}
      </Knob>
      <Knob
        label={t('watch:settings')}
        aria-haspopup="true"
        aria-expanded={openPanelName === 'settings'}
        onClick={() => openPanel('settings')}
      >
        <SlidersHorizontal aria-hidden />
      </Knob>
    </>
  )
}

function DisplayModeButtons() {
  const castAvailable = useStore($castable)
  const isFullscreen = useStore($fullscreen)
  return (
    <>
      {castAvailable && (
        <Knob label={t('watch:cast')} onClick={cast}>
          <Cast aria-hidden />
        </Knob>
      )}
      {offersPictureInPicture() && (
        <Knob label={t('watch:pip')} onClick={() => void togglePictureInPicture()} className="max-md:hidden!">
          <PictureInPicture2 aria-hidden />
        </Knob>
      )}
      <Knob
        label={t(isFullscreen ? 'watch:leaveFullscreen' : 'watch:fullscreen')}
        onClick={() => void toggleFullscreen()}
      >
        {isFullscreen ? <Minimize aria-hidden /> : <Maximize aria-hidden />}
      </Knob>
    </>
  )
}
