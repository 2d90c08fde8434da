import { useStore } from '@nanostores/react'
import type { ReactNode } from 'react'
import { Film, Hourglass, MonitorX, RotateCw, WifiOff } from '../../icons/index.ts'
import type { StreamInfo } from '../../lib/contract/playback.ts'
import { formatNames } from '../../lib/i18n/format-names.ts'
import { isolateBidi } from '../../lib/i18n/isolate-bidi.ts'
import { t } from '../../lib/i18n/t.ts'
import { type PlayerState, retryPlayer } from '../../lib/stores/player.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorView } from '../ErrorView.tsx'
import { TitleName } from '../media/Name.tsx'
import { BackLink } from './BackLink.tsx'
import { $isTimeOver, useCoveringScreen } from './covering-screen.ts'
import { $currentSource, $playbackError, retryConnection } from './stream-playback.ts'

/** Replaces the controls if nothing can be played. It states the cause and offers a retry or a link back. */
export function PlaybackErrorScreen({ player, isEmbedded }: { player: PlayerState; isEmbedded: boolean }) {
  const playbackError = useStore($playbackError)
  const isTimeOver = useStore($isTimeOver)
  // While the viewing time is over, ViewingTimeOverlay covers the player, so no error is displayed.
  if (isTimeOver) return null
  const backLink = isEmbedded ? null : <BackLink />
  if (player.status === 'nothing') {
    const title = player.media ? <TitleName title={player.media} /> : t('watch:nothing')
    const hint = player.media ? t('watch:nothing') : null
    return (
      <ErrorScreen
        icon={<Film />}
        title={title}
        hint={[hint, t(player.media ? 'watch:nothingHint' : 'watch:notAvailableHint')]
          .filter(Boolean)
          .join('. ')}
      >
        <Button icon={<RotateCw aria-hidden size={20} />} onClick={retryPlayer}>
          {t('common:tryAgain')}
        </Button>
        {backLink}
      </ErrorScreen>
    )
  }
  // When the viewing time of the profile is over, ViewingTimeOverlay covers the player, so no error is displayed here.
  // The code `no_profile` means that a profile must be chosen first; this error is displayed.
  const viewingTimeErrorCodes = player.status === 'failed' ? player.error.errors['viewing_time'] : undefined
  if (viewingTimeErrorCodes && !viewingTimeErrorCodes.includes('no_profile')) return null
  if (player.status === 'failed')
    return player.error.status === 0 ? (
      <ConnectionLost onRetry={retryPlayer} backLink={backLink} />
    ) : (
      <ErrorScreen>
        <ErrorView error={player.error} />
      </ErrorScreen>
    )
  if (player.status !== 'ready') return null
  if (playbackError === 'network')
    return <ConnectionLost onRetry={() => void retryConnection()} backLink={backLink} />
  if (playbackError === 'busy') return <ServerBusy stream={player.stream} backLink={backLink} />
  if (playbackError === 'format')
    return <UnsupportedFormat conversion={player.stream.conversion} backLink={backLink} />
  return null
}

function ConnectionLost({ onRetry, backLink }: { onRetry: () => void; backLink: ReactNode }) {
  return (
    <ErrorScreen icon={<WifiOff />} title={t('watch:lost')} hint={t('watch:lostHint')}>
      <Button variant="primary" icon={<RotateCw aria-hidden size={20} />} onClick={onRetry}>
        {t('common:tryAgain')}
      </Button>
      {backLink}
    </ErrorScreen>
  )
}

/** Lists the profiles of the account that use the conversions of the server, and offers a retry. */
function ServerBusy({ stream, backLink }: { stream: StreamInfo; backLink: ReactNode }) {
  const profiles = stream.busy_with?.profiles ?? []
  return (
    <ErrorScreen
      icon={<Hourglass />}
      title={t('watch:busy')}
      hint={
        <>
          {t('watch:busyHint')}{' '}
          {profiles.length > 0 && t('watch:busyWith', { names: formatNames(profiles.map(isolateBidi)) })}
        </>
      }
    >
      <Button
        variant="primary"
        icon={<RotateCw aria-hidden size={20} />}
        onClick={() => void retryConnection()}
      >
        {t('common:tryAgain')}
      </Button>
      {backLink}
    </ErrorScreen>
  )
}

/**
 * Error screen for a format that cannot be played. If the server cannot convert files, the hint tells the
 * operator what to do.
 */
function UnsupportedFormat({
  conversion,
  backLink,
}: {
  conversion: StreamInfo['conversion']
  backLink: ReactNode
}) {
  const mimeType = useStore($currentSource)?.mime_type
  return (
    <ErrorScreen
      icon={<MonitorX />}
      title={t('watch:broken')}
      hint={
        <>
          {t(getUnsupportedHint(conversion))}{' '}
          {mimeType && <bdi className="block text-sm text-faint">{mimeType}</bdi>}
        </>
      }
    >
      {backLink}
    </ErrorScreen>
  )
}

function getUnsupportedHint(conversion: StreamInfo['conversion']) {
  if (conversion === 'off') return 'watch:brokenHint' as const
  if (conversion === 'missing' || conversion === 'outdated') return 'watch:conversionMissing' as const
  return conversion ? ('watch:damagedHint' as const) : ('watch:brokenHint' as const)
}

interface ErrorScreenProps {
  icon?: ReactNode
  title?: ReactNode
  hint?: ReactNode
  children: ReactNode
}

function ErrorScreen({ icon, title, hint, children }: ErrorScreenProps) {
  const screenRef = useCoveringScreen('error')
  return (
    <div
      ref={screenRef}
      role="alert"
      data-controls
      className="pointer-events-auto absolute inset-0 z-20 grid place-items-center bg-black/85 text-ink"
    >
      {title === undefined ? (
        children
      ) : (
        <EmptyState
          headingLevel={1}
          icon={icon}
          title={title}
          hint={hint}
          action={<div className="flex flex-wrap justify-center gap-3">{children}</div>}
        />
      )}
    </div>
  )
}
