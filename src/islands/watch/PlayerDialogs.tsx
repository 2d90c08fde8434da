import { useStore } from '@nanostores/react'
import { type ComponentType, useEffect, useState } from 'react'
import { formatQuality } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'
import type { ReadyPlayerState } from '../../lib/stores/player.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { Name, TitleName } from '../media/Name.tsx'
import { TitleFacts } from '../media/TitleFacts.tsx'
import { BackLink } from './BackLink.tsx'
import { $openPanel, togglePanel } from './controls.ts'
import { EpisodeDrawer } from './EpisodeDrawer.tsx'
import { $isStillWatchingPromptOpen, confirmStillWatching, resumeAfterPrompt } from './still-watching.ts'
import { $currentSource } from './stream-playback.ts'

/** The dialog over the player, if one is open. */
export function PlayerDialogs({ readyPlayer }: { readyPlayer: ReadyPlayerState }) {
  const openPanelName = useStore($openPanel)
  const isStillWatchingPromptOpen = useStore($isStillWatchingPromptOpen)
  if (isStillWatchingPromptOpen) return <StillWatchingDialog />
  if (openPanelName === 'keys') return <DeferredKeyboardShortcutsDialog />
  if (openPanelName === 'info') return <InfoDialog readyPlayer={readyPlayer} />
  if (openPanelName === 'episodes' && readyPlayer.episode)
    return <EpisodeDrawer key={readyPlayer.key} readyPlayer={readyPlayer} />
  return null
}

/**
 * Loads the dialog only when it is opened, because few viewers open it. If loading fails, shows nothing: the error of
 * a `lazy` component would remove the whole player.
 */
function DeferredKeyboardShortcutsDialog() {
  const [KeyboardShortcutsDialog, setDialog] = useState<ComponentType<{ onClose: () => void }> | null>(null)
  useEffect(() => {
    import('./KeyboardShortcutsDialog.tsx').then(
      (loadedModule) => setDialog(() => loadedModule.default),
      () => {},
    )
  }, [])
  return KeyboardShortcutsDialog && <KeyboardShortcutsDialog onClose={() => togglePanel(null)} />
}

function StillWatchingDialog() {
  return (
    <Dialog title={t('watch:stillWatching')} closeLabel={t('common:close')} onClose={resumeAfterPrompt}>
      <p className="text-muted">{t('watch:stillWatchingHint')}</p>
      <DialogActions>
        <BackLink onLeave={confirmStillWatching} />
        <Button data-first variant="primary" onClick={resumeAfterPrompt}>
          {t('watch:stillHere')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function InfoDialog({ readyPlayer }: { readyPlayer: ReadyPlayerState }) {
  const { media, episode } = readyPlayer
  const { overview, overview_lang } = episode?.overview ? episode : media
  return (
    <Dialog title={t('watch:info')} closeLabel={t('common:close')} onClose={() => togglePanel(null)}>
      <div className="flex flex-col gap-3">
        <p className="text-lg font-bold">
          <TitleName title={media} />
        </p>
        {episode && (
          <p className="font-semibold">
            {t('common:episodeCode', { season: episode.season_number, episode: episode.episode_number })}{' '}
            <Name text={episode.title} />
          </p>
        )}
        <TitleFacts title={{ ...media, genres: media.genres.map((genre) => genre.id) }} />
        {overview && (
          <p dir="auto" lang={overview_lang}>
            {overview}
          </p>
        )}
        <DeliveryInfo readyPlayer={readyPlayer} />
      </div>
    </Dialog>
  )
}

/**
 * Explains how the server delivers the file and why. Also says if ffmpeg, which converts files, is missing or outdated.
 */
function DeliveryInfo({ readyPlayer: { stream } }: { readyPlayer: ReadyPlayerState }) {
  const source = useStore($currentSource)
  if (!source?.delivery) return null
  const isConversionUnavailable = stream.conversion === 'missing' || stream.conversion === 'outdated'
  return (
    <div className="border-t border-line pt-3 text-sm text-muted">
      <p>
        {t(`watch:delivery_${source.delivery}`, { quality: formatQuality(source.quality) })}{' '}
        {source.reason && source.reason !== 'playable' && t(`watch:reason_${source.reason}`)}
      </p>
      {isConversionUnavailable && <p>{t('watch:conversionMissing')}</p>}
    </div>
  )
}
