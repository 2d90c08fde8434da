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
  TableOfContents,
} from '../../icons/index.ts'
import { formatDigitalDuration } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'
import type { ReadyPlayerState } from '../../lib/stores/player.ts'
import { $nextEpisode } from '../../lib/stores/player-episodes.ts'
import { ControlButton } from './ControlButton.tsx'
import { $openPanel, togglePanel } from './controls.ts'
import {
  $castState,
  $isCastAvailable,
  $isFullscreen,
  $isPictureInPicture,
  isPictureInPictureSupported,
  openCastPicker,
  toggleFullscreen,
  togglePictureInPicture,
} from './display-modes.ts'
import { playEpisode } from './episode-navigation.ts'
import { Timeline } from './Timeline.tsx'
import { TransportControls } from './TransportControls.tsx'
import { $activeCaption } from './tracks.ts'
import { VolumeControl } from './VolumeControl.tsx'
import { $durationSeconds, $positionSeconds } from './video-element.ts'

export function BottomBar({ readyPlayer }: { readyPlayer: ReadyPlayerState }) {
  return (
    <div className="edge flex flex-col gap-1 pb-[max(1rem,env(safe-area-inset-bottom))] text-white md:gap-2">
      <div dir="ltr" className="flex items-center gap-4">
        <TimeLabel shownTime="position" />
        <Timeline />
        <TimeLabel shownTime="duration" />
      </div>
      <div className="-mx-2.5 flex items-center gap-1">
        <div className="max-md:hidden">
          <TransportControls />
        </div>
        <VolumeControl />
        <div className="ms-auto flex flex-wrap items-center justify-end gap-1">
          <EpisodeButtons readyPlayer={readyPlayer} />
          <PanelButtons hasChapters={readyPlayer.stream.chapters !== undefined} />
          <DisplayModeButtons />
        </div>
      </div>
    </div>
  )
}

function TimeLabel({ shownTime }: { shownTime: 'position' | 'duration' }) {
  const seconds = useStore(shownTime === 'position' ? $positionSeconds : $durationSeconds)
  return <span className="numbers text-sm">{formatDigitalDuration(seconds)}</span>
}

function EpisodeButtons({ readyPlayer }: { readyPlayer: ReadyPlayerState }) {
  const nextEpisode = useStore($nextEpisode)
  const openPanelName = useStore($openPanel)
  if (!readyPlayer.episode) return null
  return (
    <>
      {nextEpisode && (
        <ControlButton label={t('watch:next')} onClick={() => playEpisode(nextEpisode)}>
          <SkipForward aria-hidden />
        </ControlButton>
      )}
      <ControlButton
        label={t('watch:episodes')}
        aria-haspopup="dialog"
        aria-expanded={openPanelName === 'episodes'}
        onClick={() => togglePanel('episodes')}
      >
        <Layers aria-hidden />
      </ControlButton>
    </>
  )
}

function PanelButtons({ hasChapters }: { hasChapters: boolean }) {
  const openPanelName = useStore($openPanel)
  const caption = useStore($activeCaption)
  return (
    <>
      {hasChapters && (
        <ControlButton
          label={t('watch:chapters')}
          aria-haspopup="true"
          aria-expanded={openPanelName === 'chapters'}
          onClick={() => togglePanel('chapters')}
        >
          <TableOfContents aria-hidden />
        </ControlButton>
      )}
      <ControlButton
        data-captions-button
        label={t('watch:captions')}
        aria-haspopup="true"
        aria-expanded={openPanelName === 'captions'}
        onClick={() => togglePanel('captions')}
      >
        <Captions aria-hidden />
        {caption && <span className="absolute inset-x-3 bottom-1.5 h-0.5 rounded-full bg-accent" />}
      </ControlButton>
      <ControlButton
        label={t('watch:settings')}
        aria-haspopup="true"
        aria-expanded={openPanelName === 'settings'}
        onClick={() => togglePanel('settings')}
      >
        <SlidersHorizontal aria-hidden />
      </ControlButton>
    </>
  )
}

function DisplayModeButtons() {
  const isCastAvailable = useStore($isCastAvailable)
  const castState = useStore($castState)
  const isFullscreen = useStore($isFullscreen)
  const isPictureInPicture = useStore($isPictureInPicture)
  return (
    <>
      {isCastAvailable && (
        <ControlButton
          label={t(castState === 'disconnected' ? 'watch:cast' : 'watch:castChange')}
          onClick={openCastPicker}
          isActive={castState !== 'disconnected'}
        >
          <Cast aria-hidden />
        </ControlButton>
      )}
      {isPictureInPictureSupported() && (
        <ControlButton
          label={t('watch:pip')}
          aria-pressed={isPictureInPicture}
          onClick={() => void togglePictureInPicture()}
          isActive={isPictureInPicture}
          className="max-md:hidden!"
        >
          <PictureInPicture2 aria-hidden />
        </ControlButton>
      )}
      <ControlButton
        label={t(isFullscreen ? 'watch:leaveFullscreen' : 'watch:fullscreen')}
        onClick={() => void toggleFullscreen()}
      >
        {isFullscreen ? <Minimize aria-hidden /> : <Maximize aria-hidden />}
      </ControlButton>
    </>
  )
}
