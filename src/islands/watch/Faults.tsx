import { useStore } from '@nanostores/react'
import { ArrowLeft, Film, MonitorX, RotateCw, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { type PlayerState, retryPlayer } from '../../lib/stores/player.ts'
import { Button, buttonLook } from '../../ui/Button.tsx'
import { State } from '../../ui/State.tsx'
import { ErrorView } from '../ErrorView.tsx'
import { backHref } from './next.ts'
import { $fault, $source, reconnect } from './source.ts'

/** What stands in the way, and what helps. */
export function Faults({ player, embed }: { player: PlayerState; embed: boolean }) {
  const fault = useStore($fault)
  const back = embed ? null : <Back />
  if (player.status === 'nothing') {
    const title = player.media ? <Named title={player.media.title} /> : t('watch:nothing')
    const hint = player.media ? t('watch:nothing') : null
    return (
      <Screen icon={<Film />} title={title} hint={[hint, t('watch:nothingHint')].filter(Boolean).join('. ')}>
        <Button icon={<RotateCw aria-hidden size={20} />} onClick={retryPlayer}>
          {t('common:tryAgain')}
        </Button>
        {back}
      </Screen>
    )
  }
  if (player.status === 'failed')
    return player.error.status === 0 ? (
      <NoLine retry={retryPlayer} back={back} />
    ) : (
      <Screen>
        <ErrorView error={player.error} />
      </Screen>
    )
  if (player.status !== 'ready') return null
  if (fault === 'network') return <NoLine retry={() => void reconnect()} back={back} />
  if (fault === 'format') return <NotPlayable back={back} />
  return null
}

const Named = ({ title }: { title: string }) => <bdi>{title}</bdi>

function NoLine({ retry, back }: { retry: () => void; back: ReactNode }) {
  return (
    <Screen icon={<WifiOff />} title={t('watch:lost')} hint={t('watch:lostHint')}>
      <Button look="primary" icon={<RotateCw aria-hidden size={20} />} onClick={retry}>
        {t('common:tryAgain')}
      </Button>
      {back}
    </Screen>
  )
}

function NotPlayable({ back }: { back: ReactNode }) {
  const type = useStore($source)?.mime_type
  return (
    <Screen
      icon={<MonitorX />}
      title={t('watch:broken')}
      hint={
        <>
          {t('watch:brokenHint')} {type && <bdi className="block text-sm text-faint">{type}</bdi>}
        </>
      }
    >
      {back}
    </Screen>
  )
}

function Back() {
  return (
    <a className={buttonLook('plain')} href={backHref()}>
      <ArrowLeft aria-hidden size={20} className="rtl:-scale-x-100" />
      {t('common:back')}
    </a>
  )
}

interface ScreenProps {
  icon?: ReactNode
  title?: ReactNode
  hint?: ReactNode
  children: ReactNode
}

function Screen({ icon, title, hint, children }: ScreenProps) {
  return (
    <div
      role="alert"
      data-controls
      className="pointer-events-auto absolute inset-0 z-20 grid place-items-center bg-black/85 text-ink"
    >
      {title === undefined ? (
        children
      ) : (
        <State
          level={1}
          icon={icon}
          title={title}
          hint={hint}
          action={<div className="flex flex-wrap justify-center gap-3">{children}</div>}
        />
      )}
    </div>
  )
}
