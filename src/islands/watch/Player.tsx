import { useEffect, useRef, useState } from 'react'
import { currentLocale, t } from '../../lib/i18n/t.ts'
import { saveProgress } from '../../lib/stores/history.ts'
import type { Ready } from '../../lib/stores/player.ts'
import { State } from '../../ui/State.tsx'
import { Controls } from './Controls.tsx'
import { handleKey } from './keys.ts'
import { NextCard } from './NextCard.tsx'

const SAVE_EVERY_MS = 10_000
const HIDE_AFTER_MS = 3_000

/** Saves every ten seconds, on pause and when the page hides; a start that failed is never saved. */
function useSaving(video: React.RefObject<HTMLVideoElement | null>, ready: Ready): void {
  useEffect(() => {
    const save = (leaving: boolean) => {
      const { currentTime = 0, duration = 0 } = video.current ?? {}
      const place = ready.episode
        ? { season: ready.episode.season_number, episode: ready.episode.episode_number }
        : {}
      void saveProgress({ title: ready.media, ...place, progress: currentTime, duration }, leaving).catch(
        () => {},
      )
    }
    const element = video.current
    const timer = setInterval(() => element && !element.paused && save(false), SAVE_EVERY_MS)
    const pause = () => save(false)
    const hide = () => document.visibilityState === 'hidden' && save(true)
    const leave = () => save(true)
    element?.addEventListener('pause', pause)
    document.addEventListener('visibilitychange', hide)
    window.addEventListener('pagehide', leave)
    document.addEventListener('astro:before-swap', leave)
    return () => {
      clearInterval(timer)
      element?.removeEventListener('pause', pause)
      document.removeEventListener('visibilitychange', hide)
      window.removeEventListener('pagehide', leave)
      document.removeEventListener('astro:before-swap', leave)
    }
  }, [video, ready])
}

/** Controls hide after three seconds without input; never while paused. */
function useIdle(): [boolean, () => void] {
  const [idle, setIdle] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wake = () => {
    setIdle(false)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setIdle(true), HIDE_AFTER_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return [idle, wake]
}

export function Player({ ready, embed }: { ready: Ready; embed: boolean }) {
  const video = useRef<HTMLVideoElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const [quality, setQuality] = useState(0)
  const [position, setPosition] = useState(ready.start)
  const [paused, setPaused] = useState(true)
  const [broken, setBroken] = useState(false)
  const [idle, wake] = useIdle()
  useSaving(video, ready)
  const source = ready.stream.sources[quality]
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      wake()
      if (video.current) handleKey(event, video.current, frame.current)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  })
  if (broken) return <State level={1} title={t('watch:broken')} hint={t('watch:brokenHint')} />
  const locale = currentLocale()
  return (
    <div
      ref={frame}
      dir="ltr"
      onPointerMove={wake}
      className={`fixed inset-0 z-40 bg-black ${idle && !paused ? 'cursor-none' : ''}`}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: captions are the tracks below */}
      <video
        ref={video}
        src={source?.url}
        autoPlay
        playsInline
        className="size-full object-contain"
        onLoadedMetadata={(event) => {
          event.currentTarget.currentTime = position
        }}
        onTimeUpdate={(event) => setPosition(event.currentTarget.currentTime)}
        onPlay={() => setPaused(false)}
        onPause={() => setPaused(true)}
        onError={() => setBroken(true)}
        onClick={(event) =>
          void (event.currentTarget.paused ? event.currentTarget.play() : event.currentTarget.pause())
        }
      >
        {ready.stream.subtitles.map((subtitle) => (
          <track
            key={subtitle.lang}
            kind="subtitles"
            src={subtitle.url}
            srcLang={subtitle.lang}
            label={subtitle.label}
            default={subtitle.lang === locale && locale !== 'en'}
          />
        ))}
      </video>
      {!embed && (
        <Controls
          video={video}
          frame={frame}
          ready={ready}
          position={position}
          paused={paused}
          hidden={idle && !paused}
          quality={quality}
          onQuality={setQuality}
        />
      )}
      <NextCard ready={ready} video={video} position={position} />
    </div>
  )
}
