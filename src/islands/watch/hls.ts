/** hls.js, for browsers that do not play HLS themselves; this file and it are fetched only then. */
import Hls from 'hls.js'

export interface HlsLine {
  /** Fixes the picture's lines; null lets it adapt. */
  setLines: (lines: number | null) => void
  audio: () => { tracks: { id: number; label: string }[]; chosen: number; choose: (id: number) => void }
  end: () => void
}
interface Told {
  onLevels: (lines: number[]) => void
  onBroken: (kind: 'network' | 'format') => void
}

export function openHls(video: HTMLVideoElement, url: string, at: number, told: Told): HlsLine {
  /* Its worker would be a blob, which our Content-Security-Policy refuses. */
  const hls = new Hls({ enableWorker: false, startPosition: at > 0 ? at : -1, capLevelToPlayerSize: true })
  let mended = false
  hls.on(Hls.Events.MANIFEST_PARSED, (_, { levels }) => {
    told.onLevels([...new Set(levels.map(({ height }) => height))].filter(Boolean).sort((a, b) => b - a))
  })
  hls.on(Hls.Events.ERROR, (_, { fatal, type }) => {
    if (!fatal) return
    if (type === Hls.ErrorTypes.NETWORK_ERROR) return told.onBroken('network')
    if (type === Hls.ErrorTypes.MEDIA_ERROR && !mended) {
      mended = true
      return hls.recoverMediaError()
    }
    told.onBroken('format')
  })
  hls.loadSource(url)
  hls.attachMedia(video)
  return {
    setLines: (lines) => {
      hls.currentLevel = lines === null ? -1 : hls.levels.findIndex(({ height }) => height === lines)
    },
    audio: () => ({
      tracks: hls.audioTracks.map(({ id, name }) => ({ id, label: name })),
      chosen: hls.audioTrack,
      choose: (id) => {
        hls.audioTrack = id
      },
    }),
    end: () => hls.destroy(),
  }
}
