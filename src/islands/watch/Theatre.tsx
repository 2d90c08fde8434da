import { useStore } from '@nanostores/react'
import { Play } from 'lucide-react'
import { useEffect } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { $nextEpisode, $opening, $player, openPlayer, type Ready } from '../../lib/stores/player.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { useTitle } from '../Page.tsx'
import { askIfAlone, noteEpisode } from './attention.ts'
import { BottomBar } from './BottomBar.tsx'
import { Captions } from './Captions.tsx'
import { $controls, keepControls } from './controls.ts'
import { $ended, $paused, $started, $waiting, play, theatre } from './deck.ts'
import { EndScreen } from './EndScreen.tsx'
import { Faults } from './Faults.tsx'
import { $skipped, listenToPointer } from './gestures.ts'
import { Knob } from './Knob.tsx'
import { listenToKeys } from './keys.ts'
import { NextCard } from './NextCard.tsx'
import { playEpisode } from './next.ts'
import { Panels } from './Panels.tsx'
import { Sheets } from './Sheets.tsx'
import { SkipIntro } from './SkipIntro.tsx'
import { watchScreens } from './screens.ts'
import { $fault } from './source.ts'
import { TopBar } from './TopBar.tsx'
import { Transport } from './Transport.tsx'

const LOOK_EVERY_MS = 30_000

/** The interface over the picture, which stands in the page's markup and plays without it (start.ts). */
export function Theatre({ embed }: { embed: boolean }) {
  const player = useStore($player)
  const profile = useStore($profile)
  const fault = useStore($fault)
  useEffect(() => {
    if (profile) void openPlayer(location.search)
  }, [profile])
  useEffect(() => {
    const root = theatre()
    const stops = [keepControls(), listenToKeys(embed), watchScreens(), root && listenToPointer(root, embed)]
    const timer = setInterval(() => !$paused.get() && askIfAlone(), LOOK_EVERY_MS)
    return () => {
      clearInterval(timer)
      for (const stop of stops) stop?.()
    }
  }, [embed])
  useTitle(player.status === 'ready' ? player.media.title : null)
  const ready = player.status === 'ready' ? player : null
  return (
    <div dir={document.documentElement.dir} className="absolute inset-0 overflow-hidden">
      <div data-surface className="absolute inset-0" />
      <Spinner quiet={fault !== null || player.status === 'nothing' || player.status === 'failed'} />
      {ready && (embed ? <Bare /> : <Interface ready={ready} />)}
      <Captions bare={embed} />
      <Faults player={player} embed={embed} />
    </div>
  )
}

function Interface({ ready }: { ready: Ready }) {
  const shown = useStore($controls)
  const fault = useStore($fault)
  const ended = useStore($ended)
  const next = useStore($nextEpisode)
  const covered = fault !== null || (ended && !next)
  return (
    <>
      <div
        data-controls
        className={`pointer-events-none absolute inset-0 flex flex-col justify-between transition-opacity duration-(--duration-slow) ${shown && !covered ? 'bg-linear-to-b from-black/75 via-transparent via-40% to-black/85' : 'invisible opacity-0'}`}
      >
        <TopBar ready={ready} />
        <div className="grid place-items-center md:hidden">
          <Transport big />
        </div>
        <BottomBar ready={ready} />
      </div>
      <SkipMark />
      {!covered && <PressFirst />}
      {fault === null && (
        <>
          <SkipIntro ready={ready} />
          <NextCard key={ready.key} ready={ready} />
          <Panels ready={ready} />
          <EndScreen key={`end ${ready.key}`} ready={ready} />
        </>
      )}
      <Sheets ready={ready} />
    </>
  )
}

/** The circle while nothing moves that should. */
function Spinner({ quiet }: { quiet: boolean }) {
  const waiting = useStore($waiting)
  const started = useStore($started)
  const paused = useStore($paused)
  const opening = useStore($opening)
  if (quiet || !(opening || (waiting && (!paused || !started)))) return null
  return (
    <div role="status" className="pointer-events-none absolute inset-0 grid place-items-center">
      <div className="pending-ring" />
      <span className="sr-only">{t('common:loading')}</span>
    </div>
  )
}

/**
 * Where the browser wants a press before it plays: the whole picture takes one. A phone has its large button there; the
 * button that keys and names reach is the one below.
 */
function PressFirst() {
  const paused = useStore($paused)
  const started = useStore($started)
  const waiting = useStore($waiting)
  const opening = useStore($opening)
  if (!paused || started || waiting || opening) return null
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0 hidden place-items-center md:grid">
      <span className="grid size-24 place-items-center rounded-full bg-black/60 text-white">
        <Play size={44} fill="currentColor" />
      </span>
    </div>
  )
}

/** What a double tap did. */
function SkipMark() {
  const skipped = useStore($skipped)
  useEffect(() => {
    if (!skipped) return
    const timer = setTimeout(() => $skipped.set(null), 700)
    return () => clearTimeout(timer)
  }, [skipped])
  if (!skipped) return null
  return (
    <div
      dir="ltr"
      aria-hidden
      className="pointer-events-none absolute inset-0 grid grid-cols-3 place-items-center text-white"
    >
      <span
        className={`numbers rounded-full bg-black/60 px-5 py-3 text-lg font-bold ${skipped.total > 0 ? 'col-start-3' : ''}`}
      >
        {skipped.total > 0 ? '+' : '−'}
        {Math.abs(skipped.total)}
      </span>
    </div>
  )
}

/** /watch/embed: the picture alone, and a way to start it where the browser wants a press first. */
function Bare() {
  const paused = useStore($paused)
  const ended = useStore($ended)
  const next = useStore($nextEpisode)
  const autoplay = useStore($profile)?.preferences.autoplay_next ?? false
  useEffect(() => {
    if (!ended || !next || !autoplay || askIfAlone()) return
    noteEpisode()
    playEpisode(next)
  }, [ended, next, autoplay])
  if (!paused) return null
  return (
    <div className="pointer-events-none absolute inset-0 grid place-items-center">
      <Knob big label={t('common:play')} onClick={play}>
        <Play aria-hidden size={34} fill="currentColor" />
      </Knob>
    </div>
  )
}
