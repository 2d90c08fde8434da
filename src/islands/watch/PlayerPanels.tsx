import { useStore } from '@nanostores/react'
import { Check } from '../../icons/index.ts'
import { formatQuality } from '../../lib/i18n/format.ts'
import { formatNumber, t } from '../../lib/i18n/t.ts'
import { PLAYBACK_RATES } from '../../lib/rules/player-keys.ts'
import type { ReadyPlayerState } from '../../lib/stores/player.ts'
import { CaptionPanel } from './CaptionPanel.tsx'
import { ChapterPanel } from './ChapterPanel.tsx'
import { $areControlsKeptVisible, $openPanel, setControlsKeptVisible } from './controls.ts'
import { Panel } from './Panel.tsx'
import { RadioGroup } from './RadioGroup.tsx'
import { $availableQualities, $selectedQuality } from './source-selection.ts'
import { $currentSource, switchQuality } from './stream-playback.ts'
import { $playbackRate, setPlaybackRate } from './video-element.ts'

export function PlayerPanels({ readyPlayer }: { readyPlayer: ReadyPlayerState }) {
  const openPanelName = useStore($openPanel)
  if (openPanelName === 'captions') return <CaptionPanel readyPlayer={readyPlayer} />
  if (openPanelName === 'settings') return <SettingsPanel />
  const { chapters } = readyPlayer.stream
  if (openPanelName === 'chapters' && chapters) return <ChapterPanel chapters={chapters} />
  return null
}

function SettingsPanel() {
  const selectedQuality = useStore($selectedQuality)
  const qualities = useStore($availableQualities)
  const source = useStore($currentSource)
  const playbackRate = useStore($playbackRate)
  const autoLabel =
    selectedQuality === 'auto' && source && qualities.includes(source.quality)
      ? t('watch:autoNow', { quality: formatQuality(source.quality) })
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
            ...qualities.map((value) => ({ value, label: formatQuality(value) })),
          ]}
          onChange={switchQuality}
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
      <KeepControlsVisibleButton className="flex min-h-11 items-center gap-2 rounded-md px-3" />
    </Panel>
  )
}

/**
 * Button that keeps the controls visible. It is rendered twice: in the settings, and before the controls, where
 * screen readers find it while the controls are hidden. The copy before the controls is not a tab stop: every key press
 * shows the controls, so that keyboard users can open the settings.
 */
export function KeepControlsVisibleButton(props: { className: string; tabIndex?: number }) {
  const areControlsKeptVisible = useStore($areControlsKeptVisible)
  return (
    <button
      type="button"
      aria-pressed={areControlsKeptVisible}
      onClick={() => setControlsKeptVisible(!areControlsKeptVisible)}
      {...props}
    >
      <Check aria-hidden size={18} className={areControlsKeptVisible ? 'text-accent' : 'invisible'} />
      {t('watch:keepControls')}
    </button>
  )
}
