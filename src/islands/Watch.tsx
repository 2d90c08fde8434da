import { useStore } from '@nanostores/react'
import { ArrowLeft, Film } from 'lucide-react'
import { useEffect } from 'react'
import { currentLocale, t } from '../lib/i18n/t.ts'
import { href, safeRedirect } from '../lib/routes.ts'
import { $player, openPlayer } from '../lib/stores/player.ts'
import { $profile } from '../lib/stores/profile.ts'
import { buttonLook } from '../ui/Button.tsx'
import { Pending, State } from '../ui/State.tsx'
import { ErrorView } from './ErrorView.tsx'
import { Page, useTitle } from './Page.tsx'
import { Player } from './watch/Player.tsx'

/** /watch/ and, without anything around the picture, /watch/embed. */
export default function Watch({ embed = false }: { embed?: boolean }) {
  return (
    <Page>
      <Theatre embed={embed} />
    </Page>
  )
}

export function backHref(): string {
  const wanted = safeRedirect(new URLSearchParams(location.search).get('redirect'))
  return wanted === '/' ? href('home', currentLocale()) : wanted
}

function Theatre({ embed }: { embed: boolean }) {
  const player = useStore($player)
  const profile = useStore($profile)
  useEffect(() => {
    if (profile) void openPlayer(location.search)
  }, [profile])
  useTitle(player.status === 'ready' ? player.media.title : null)
  if (player.status === 'ready')
    return <Player key={`${player.media.id}/${player.episode?.id ?? ''}`} ready={player} embed={embed} />
  if (player.status === 'pending') return <Pending label={t('common:loading')} />
  if (player.status === 'nothing') {
    const back = (
      <a className={buttonLook('primary')} href={backHref()}>
        <ArrowLeft aria-hidden size={20} className="rtl:-scale-x-100" />
        {t('common:back')}
      </a>
    )
    return (
      <State
        level={1}
        icon={<Film />}
        title={t('watch:nothing')}
        hint={t('watch:nothingHint')}
        action={back}
      />
    )
  }
  return <ErrorView error={player.error} />
}
