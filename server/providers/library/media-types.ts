/** The files that a library may hold, by the end of their names, and what they are called on the way out. */
export const VIDEO_TYPES: Record<string, string> = {
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  avi: 'video/x-msvideo',
  ogv: 'video/ogg',
  ts: 'video/mp2t',
  m2ts: 'video/mp2t',
}
export const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl'
const VTT = 'text/vtt; charset=utf-8'
const TYPES: Record<string, string> = {
  ...VIDEO_TYPES,
  m3u8: PLAYLIST_TYPE,
  m4s: 'video/iso.segment',
  cmfv: 'video/mp4',
  cmfa: 'audio/mp4',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  mp3: 'audio/mpeg',
  vtt: VTT,
  srt: VTT,
}

/** In lower case, without the dot; empty when there is none. */
export function extensionOf(path: string): string {
  return /\.([a-z\d]{1,5})$/i.exec(path)?.[1]?.toLowerCase() ?? ''
}

/** Fixed types, never taken from elsewhere (security.md, decision 8); null for what is not served. */
export function typeOf(path: string): string | null {
  return TYPES[extensionOf(path)] ?? null
}
