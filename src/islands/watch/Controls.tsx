import {
  ArrowLeft,
  Captions,
  Maximize,
  Pause,
  Play,
  RotateCcw,
  RotateCw,
  Volume2,
  VolumeX,
} from 'lucide-react'
import { type RefObject, useState } from 'react'
import { formatClock } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'
import type { Ready } from '../../lib/stores/player.ts'
import { backHref } from '../Watch.tsx'
import { toggleCaptions } from './keys.ts'

interface Props {
  video: RefObject<HTMLVideoElement | null>
  frame: RefObject<HTMLDivElement | null>
  ready: Ready
  position: number
  paused: boolean
  hidden: boolean
  quality: number
  onQuality: (index: number) => void
}
const BUTTON =
  'grid size-12 place-items-center rounded-full text-white hover:bg-white/15 focus-visible:bg-white/15'

export function Controls({ video, frame, ready, position, paused, hidden, quality, onQuality }: Props) {
  const [muted, setMuted] = useState(false)
  const duration = video.current?.duration || 0
  const seek = (seconds: number) => {
    if (video.current) video.current.currentTime = Math.max(0, Math.min(duration, seconds))
  }
  const { media, episode, stream } = ready
  return (
    <div
      className={`absolute inset-0 flex flex-col justify-between bg-linear-to-b from-black/70 via-transparent to-black/80 transition-opacity duration-(--duration-slow) ${hidden ? 'pointer-events-none opacity-0 focus-within:pointer-events-auto focus-within:opacity-100' : ''}`}
    >
      <div dir={document.documentElement.dir} className="edge flex items-center gap-4 pt-6 text-white">
        <a href={backHref()} aria-label={t('common:back')} className={BUTTON}>
          <ArrowLeft aria-hidden className="rtl:-scale-x-100" />
        </a>
        <h1 className="min-w-0">
          <bdi className="block truncate text-lg font-bold">{media.title}</bdi>
          {episode && (
            <span className="block truncate text-sm text-white/80">
              {t('common:episodeCode', { season: episode.season_number, episode: episode.episode_number })}{' '}
              {episode.title && <bdi>· {episode.title}</bdi>}
            </span>
          )}
        </h1>
      </div>
      <div className="edge flex flex-col gap-3 pb-8 text-white">
        <div className="flex items-center gap-4">
          <span className="numbers text-sm">{formatClock(position)}</span>
          <input
            type="range"
            min={0}
            max={Math.max(1, duration)}
            step={1}
            value={position}
            aria-label={t('watch:seek')}
            aria-valuetext={t('watch:position', { at: formatClock(position), length: formatClock(duration) })}
            onChange={(event) => seek(Number(event.target.value))}
            className="h-6 grow accent-(--color-accent)"
          />
          <span className="numbers text-sm">{formatClock(duration)}</span>
        </div>
        <div className="flex flex-wrap items-center gap-1">
          <button
            type="button"
            className={BUTTON}
            aria-label={t(paused ? 'common:play' : 'watch:pause')}
            onClick={() => void (paused ? video.current?.play() : video.current?.pause())}
          >
            {paused ? <Play aria-hidden fill="currentColor" /> : <Pause aria-hidden fill="currentColor" />}
          </button>
          <button
            type="button"
            className={BUTTON}
            aria-label={t('watch:back10')}
            onClick={() => seek(position - 10)}
          >
            <RotateCcw aria-hidden />
          </button>
          <button
            type="button"
            className={BUTTON}
            aria-label={t('watch:forward10')}
            onClick={() => seek(position + 10)}
          >
            <RotateCw aria-hidden />
          </button>
          <button
            type="button"
            className={BUTTON}
            aria-label={t(muted ? 'watch:unmute' : 'watch:mute')}
            onClick={() => {
              if (video.current) video.current.muted = !muted
              setMuted(!muted)
            }}
          >
            {muted ? <VolumeX aria-hidden /> : <Volume2 aria-hidden />}
          </button>
          <div className="ms-auto flex items-center gap-1">
            <CaptionSelect video={video} ready={ready} />
            <label className="flex items-center gap-2 text-sm">
              <span className="sr-only">{t('watch:quality')}</span>
              <select
                value={quality}
                aria-label={t('watch:quality')}
                onChange={(event) => onQuality(Number(event.target.value))}
                className="min-h-11 rounded-md bg-black/60 px-2 text-white"
              >
                {stream.sources.map((source, index) => (
                  <option key={source.quality} value={index}>
                    {source.quality}
                  </option>
                ))}
              </select>
            </label>
            <button
              type="button"
              className={BUTTON}
              aria-label={t('watch:fullscreen')}
              onClick={() =>
                void (document.fullscreenElement
                  ? document.exitFullscreen()
                  : frame.current?.requestFullscreen())
              }
            >
              <Maximize aria-hidden />
            </button>
          </div>
        </div>
      </div>
    </div>
  )
}

function CaptionSelect({ video, ready }: Pick<Props, 'video' | 'ready'>) {
  const show = (lang: string) => {
    for (const track of video.current?.textTracks ?? [])
      track.mode = track.language === lang ? 'showing' : 'disabled'
  }
  return (
    <>
      <button
        type="button"
        className={BUTTON}
        aria-label={t('watch:captions')}
        onClick={() => video.current && toggleCaptions(video.current)}
      >
        <Captions aria-hidden />
      </button>
      <select
        aria-label={t('watch:captions')}
        defaultValue=""
        onChange={(event) => show(event.target.value)}
        className="min-h-11 rounded-md bg-black/60 px-2 text-white"
      >
        <option value="">{t('watch:off')}</option>
        {ready.stream.subtitles.map((subtitle) => (
          <option key={subtitle.lang} value={subtitle.lang}>
            {subtitle.label}
          </option>
        ))}
      </select>
    </>
  )
}
