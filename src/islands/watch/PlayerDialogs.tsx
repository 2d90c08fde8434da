import { useStore } from '@nanostores/react'
import { formatQuality } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'
import type { ReadyPlayerState } from '../../lib/stores/player.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TitleFacts } from '../media/TitleFacts.tsx'
import { BackLink } from './BackLink.tsx'
import { $openPanel, togglePanel } from './controls.ts'
import { EpisodeDrawer } from './EpisodeDrawer.tsx'
import { $currentSource } from './source-selection.ts'
import { $isStillWatchingPromptOpen, confirmStillWatching, resumeAfterPrompt } from './still-watching.ts'

/** The dialog over the player, if one is open. */
export function PlayerDialogs({ readyPlayer }: { readyPlayer: ReadyPlayerState }) {
  const openPanelName = useStore($openPanel)
  const isStillWatchingPromptOpen = useStore($isStillWatchingPromptOpen)
  if (isStillWatchingPromptOpen) return <StillWatchingDialog />
  if (openPanelName === 'keys') return <KeyboardShortcutsDialog />
  if (openPanelName === 'info') return <InfoDialog readyPlayer={readyPlayer} />
  if (openPanelName === 'episodes' && readyPlayer.episode)
    return <EpisodeDrawer key={readyPlayer.key} readyPlayer={readyPlayer} />
  return null
}

function StillWatchingDialog() {
  return (
    <Dialog title={t('watch:stillWatching')} closeLabel={t('common:close')} onClose={resumeAfterPrompt}>
      <p className="text-muted">{t('watch:stillWatchingHint')}</p>
      <div className="flex flex-wrap gap-3">
        <Button data-first variant="primary" onClick={resumeAfterPrompt}>
          {t('watch:stillHere')}
        </Button>
        <BackLink onLeave={confirmStillWatching} />
      </div>
    </Dialog>
  )
}

function InfoDialog({ readyPlayer }: { readyPlayer: ReadyPlayerState }) {
  const { media, episode } = readyPlayer
  const overview = episode?.overview ?? media.overview
  return (
    <Dialog title={t('watch:info')} closeLabel={t('common:close')} onClose={() => togglePanel(null)}>
      <div className="flex flex-col gap-3">
        <p className="text-lg font-bold">
          <bdi>{media.title}</bdi>
        </p>
        {episode && (
          <p className="font-semibold">
            {t('common:episodeCode', { season: episode.season_number, episode: episode.episode_number })}{' '}
            <bdi>{episode.title}</bdi>
          </p>
        )}
        <TitleFacts title={{ ...media, genres: media.genres.map((genre) => genre.id) }} />
        {overview && <p dir="auto">{overview}</p>}
        <DeliveryInfo readyPlayer={readyPlayer} />
      </div>
    </Dialog>
  )
}

/**
 * Explains how the server delivers the file and why. Also says if the server cannot convert files.
 */
function DeliveryInfo({ readyPlayer: { stream } }: { readyPlayer: ReadyPlayerState }) {
  const source = useStore($currentSource)
  if (!source?.delivery) return null
  const isConversionMissing = stream.conversion === 'missing' || stream.conversion === 'outdated'
  return (
    <div className="border-t border-line pt-3 text-sm text-muted">
      <p>
        {t(`watch:delivery_${source.delivery}`, { quality: formatQuality(source.quality) })}{' '}
        {source.reason && source.reason !== 'playable' && t(`watch:reason_${source.reason}`)}
      </p>
      {isConversionMissing && <p>{t('watch:conversionMissing')}</p>}
    </div>
  )
}

/** Key labels as printed on a keyboard, each with the translation key of its description. */
const SHORTCUTS = [
  [['Space', 'K', 'Enter'], 'keyPlay'],
  [['←', '→', 'J', 'L'], 'keySkip'],
  [['Shift', '←', '→'], 'keyShortSkip'],
  [['↑', '↓'], 'keyVolume'],
  [['M'], 'mute'],
  [['F'], 'fullscreen'],
  [['Esc'], 'keyEscape'],
  [['S'], 'skipIntro'],
  [['PgUp', 'PgDn'], 'keyChapter'],
  [['C'], 'keyCaptions'],
  [['G', 'H'], 'keyCaptionDelay'],
  [['Shift', 'N'], 'next'],
  [['Shift', 'P'], 'previous'],
  [['0', '–', '9'], 'keyJump'],
  [['Home', 'End'], 'keyEnds'],
  [[',', '.'], 'keyFrame'],
  [['<', '>'], 'speed'],
  [['I'], 'info'],
  [['E'], 'episodes'],
  [['?'], 'keys'],
] as const

function KeyboardShortcutsDialog() {
  return (
    <Dialog isWide title={t('watch:keys')} closeLabel={t('common:close')} onClose={() => togglePanel(null)}>
      <dl className="grid gap-x-8 gap-y-2 md:grid-cols-2">
        {SHORTCUTS.map(([keyLabels, messageKey]) => (
          <div
            key={messageKey}
            className="flex items-center justify-between gap-4 border-b border-line py-1.5"
          >
            <dt className="text-muted">{t(`watch:${messageKey}`)}</dt>
            <dd dir="ltr" className="flex shrink-0 gap-1">
              {keyLabels.map((keyLabel) => (
                <kbd
                  key={keyLabel}
                  className="grid min-w-8 place-items-center rounded-sm border border-line bg-overlay px-2 font-sans text-sm"
                >
                  {keyLabel}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
