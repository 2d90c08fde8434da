/** The player's keys (docs/keyboard.md). Arrows keep their physical meaning: the timeline runs left to right everywhere. */
const STEP = 10

export function handleKey(event: KeyboardEvent, video: HTMLVideoElement, frame: HTMLElement | null): void {
  const target = event.target as HTMLElement
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    target.matches('input:not([type=range]),select,textarea')
  )
    return
  const onButton = target.matches('button,a')
  if (onButton && ['Enter', ' ', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].includes(event.key))
    return
  const action = actionOf(event, video, frame)
  if (!action) return
  event.preventDefault()
  action()
}

function actionOf(
  event: KeyboardEvent,
  video: HTMLVideoElement,
  frame: HTMLElement | null,
): (() => void) | null {
  const step = event.shiftKey ? 5 : STEP
  const seek = (seconds: number) => () => {
    video.currentTime = Math.max(0, Math.min(video.duration || 0, seconds))
  }
  const volume = (change: number) => () => {
    video.volume = Math.max(0, Math.min(1, video.volume + change))
  }
  const actions: Record<string, () => void> = {
    ' ': () => void (video.paused ? video.play() : video.pause()),
    k: () => void (video.paused ? video.play() : video.pause()),
    ArrowLeft: seek(video.currentTime - step),
    ArrowRight: seek(video.currentTime + step),
    j: seek(video.currentTime - step),
    l: seek(video.currentTime + step),
    ArrowUp: volume(0.05),
    ArrowDown: volume(-0.05),
    m: () => {
      video.muted = !video.muted
    },
    f: () => void (document.fullscreenElement ? document.exitFullscreen() : frame?.requestFullscreen()),
    c: () => toggleCaptions(video),
    Home: seek(0),
    End: seek(video.duration - 1),
    '>': () => {
      video.playbackRate = Math.min(2, video.playbackRate + 0.25)
    },
    '<': () => {
      video.playbackRate = Math.max(0.5, video.playbackRate - 0.25)
    },
  }
  if (/^[0-9]$/.test(event.key)) return seek((Number(event.key) / 10) * (video.duration || 0))
  const name = event.key === 'Enter' ? 'k' : event.key
  return actions[name.length === 1 ? name.toLowerCase() : name] ?? null
}

export function toggleCaptions(video: HTMLVideoElement): void {
  const tracks = [...video.textTracks]
  const shown = tracks.find((track) => track.mode === 'showing')
  if (shown) shown.mode = 'disabled'
  else {
    const wanted = tracks.find((track) => track.language === document.documentElement.lang) ?? tracks[0]
    if (wanted) wanted.mode = 'showing'
  }
}
