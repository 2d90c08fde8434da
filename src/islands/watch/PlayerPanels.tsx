import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { formatNumber, t } from '../../lib/i18n/t.ts'
import { CAPTION_BACKGROUNDS, CAPTION_COLORS, CAPTION_SIZES } from '../../lib/rules/player-captions.ts'
import { PLAYBACK_RATES } from '../../lib/rules/player-keys.ts'
import { $captionPreferences, saveCaptionPreferences } from '../../lib/stores/captions.ts'
import type { ReadyPlayerState } from '../../lib/stores/player.ts'
import { $openPanel } from './controls.ts'
import { RadioGroup } from './RadioGroup.tsx'
import { $availableQualities, $currentSource, $selectedQuality, setQuality } from './source-selection.ts'
import { $activeCaption, listAudioTracks, selectCaption } from './tracks.ts'
import { $playbackRate, setPlaybackRate } from './video-element.ts'

/** Popover above the bottom bar. It moves the focus to the selected option and restores the focus when it closes. */
function Panel({ label, children }: { label: string; children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const previouslyFocused = document.activeElement
    root.current?.querySelector<HTMLElement>('[aria-checked=true]')?.focus({ preventScroll: true })
    return () => {
      if (previouslyFocused instanceof HTMLElement && previouslyFocused.isConnected)
        previouslyFocused.focus({ preventScroll: true })
    }
  }, [])
  return (
    <section
      ref={root}
      aria-label={label}
      data-controls
      className="absolute end-(--edge) bottom-32 z-10 max-h-[calc(100%-11rem)] w-[min(36rem,calc(100%-2*var(--edge)))] overflow-y-auto rounded-lg border border-line bg-raised p-3 text-ink shadow-(--shadow-dialog) animate-[rise_150ms_var(--ease-out)]"
    >
      {children}
    </section>
  )
}

export function PlayerPanels({ readyPlayer }: { readyPlayer: ReadyPlayerState }) {
  const openPanelName = useStore($openPanel)
  if (openPanelName === 'captions') return <CaptionPanel readyPlayer={readyPlayer} />
  if (openPanelName === 'settings') return <SettingsPanel />
  return null
}

function SettingsPanel() {
  const selectedQuality = useStore($selectedQuality)
  const qualities = useStore($availableQualities)
  const source = useStore($currentSource)
  const playbackRate = useStore($playbackRate)
  const autoLabel =
    selectedQuality === 'auto' && source && qualities.includes(source.quality)
      ? t('watch:autoNow', { quality: source.quality })
      : t('watch:auto')
  const shownQuality =
    selectedQuality === 'auto' || qualities.includes(selectedQuality)
      ? selectedQuality
      : (source?.quality ?? 'auto')
  return (
    <Panel label={t('watch:settings')}>
      <div className="grid grid-cols-2 gap-2">
        <RadioGroup
          label={t('watch:quality')}
          value={shownQuality}
          options={[
            { value: 'auto', label: autoLabel },
            ...qualities.map((value) => ({ value, label: value })),
          ]}
          onChange={setQuality}
        />
        <RadioGroup
          label={t('watch:speed')}
          value={String(playbackRate)}
          options={PLAYBACK_RATES.map((rate) => ({
            value: String(rate),
            label: rate === 1 ? t('watch:normalSpeed') : `${formatNumber(rate)}×`,
          }))}
          onChange={(value) => setPlaybackRate(Number(value))}
        />
      </div>
    </Panel>
  )
}

function CaptionPanel({ readyPlayer }: { readyPlayer: ReadyPlayerState }) {
  const activeCaption = useStore($activeCaption)
  const [, rerender] = useState(0)
  const audioTracks = listAudioTracks()
  const offOption = { value: '', label: t('watch:off') }
  const { subtitles } = readyPlayer.stream
  return (
    <Panel label={t('watch:captions')}>
      <div className={audioTracks.length > 1 ? 'grid grid-cols-2 gap-2' : ''}>
        <RadioGroup
          label={t('watch:captions')}
          value={activeCaption?.lang ?? ''}
          options={[offOption, ...subtitles.map(({ lang, label }) => ({ value: lang, label, lang }))]}
          onChange={(lang) => selectCaption(lang || null)}
        />
        {audioTracks.length > 1 && (
          <RadioGroup
            label={t('watch:audio')}
            value={audioTracks.find((track) => track.isSelected)?.id ?? ''}
            options={audioTracks.map(({ id, label }) => ({ value: id, label }))}
            onChange={(id) => {
              audioTracks.find((track) => track.id === id)?.select()
              rerender((count) => count + 1)
            }}
          />
        )}
      </div>
      {subtitles.length > 0 && <CaptionStyleOptions />}
    </Panel>
  )
}

function CaptionStyleOptions() {
  const captionSettings = useStore($captionPreferences)
  return (
    <div className="mt-3 flex flex-col gap-2 border-t border-line px-3 pt-3">
      <RadioGroup
        isInline
        label={t('watch:captionSize')}
        value={captionSettings.size}
        options={CAPTION_SIZES.map((value) => ({ value, label: t(`watch:size_${value}`) }))}
        onChange={(size) => saveCaptionPreferences({ size })}
      />
      <RadioGroup
        isInline
        label={t('watch:captionColor')}
        value={captionSettings.color}
        options={CAPTION_COLORS.map((value) => ({ value, label: t(`watch:color_${value}`) }))}
        onChange={(color) => saveCaptionPreferences({ color })}
      />
      <RadioGroup
        isInline
        label={t('watch:captionBackground')}
        value={captionSettings.background}
        options={CAPTION_BACKGROUNDS.map((value) => ({ value, label: t(`watch:background_${value}`) }))}
        onChange={(background) => saveCaptionPreferences({ background })}
      />
    </div>
  )
}
