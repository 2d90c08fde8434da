import { navigate } from 'astro:transitions/client'
import { useStore } from '@nanostores/react'
import { type RefObject, useEffect, useState } from 'react'
import { currentLocale, t } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'
import type { Ready } from '../../lib/stores/player.ts'
import { openPlayer } from '../../lib/stores/player.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { Button } from '../../ui/Button.tsx'
import { backHref } from '../Watch.tsx'

const SECONDS = 10
const BEFORE_END = 30

/** Offers the next episode from the credits on; counts down unless autoplay is off or a key was pressed. */
export function NextCard({
  ready,
  video,
  position,
}: {
  ready: Ready
  video: RefObject<HTMLVideoElement | null>
  position: number
}) {
  const autoplay = useStore($profile)?.preferences.autoplay_next ?? false
  const [left, setLeft] = useState(SECONDS)
  const [cancelled, setCancelled] = useState(false)
  const duration = video.current?.duration || 0
  const from = ready.stream.credits_at ?? duration - BEFORE_END
  const shown = ready.next !== null && duration > 0 && position >= from
  const counting = shown && autoplay && !cancelled
  const play = () => {
    if (!ready.next) return
    const query = {
      type: 'tv',
      slug: ready.media.slug,
      season: ready.next.season_number,
      episode: ready.next.episode_number,
      redirect: backHref(),
    }
    const address = href('watch', currentLocale(), { query })
    history.replaceState(history.state, '', address)
    void openPlayer(new URL(address, location.href).search)
  }
  useEffect(() => {
    if (!counting) return
    if (left <= 0) return play()
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  })
  useEffect(() => {
    if (!shown) return
    const stop = () => setCancelled(true)
    window.addEventListener('keydown', stop)
    return () => window.removeEventListener('keydown', stop)
  }, [shown])
  useEffect(() => {
    const element = video.current
    if (!element || ready.next) return
    const leave = () => void navigate(backHref())
    element.addEventListener('ended', leave)
    return () => element.removeEventListener('ended', leave)
  }, [video, ready])
  if (!shown || !ready.next) return null
  const code = t('common:episodeCode', {
    season: ready.next.season_number,
    episode: ready.next.episode_number,
  })
  return (
    <div
      dir={document.documentElement.dir}
      className="absolute end-(--edge) bottom-40 flex w-72 flex-col gap-3 rounded-lg border border-line bg-raised p-5 shadow-(--shadow-dialog)"
    >
      <p className="font-semibold">
        {code} <bdi>{ready.next.title}</bdi>
      </p>
      <Button look="primary" onClick={play}>
        {counting ? t('watch:nextIn', { seconds: left }) : t('watch:playNow')}
      </Button>
      {counting && (
        <Button look="quiet" onClick={() => setCancelled(true)}>
          {t('watch:credits')}
        </Button>
      )}
    </div>
  )
}
