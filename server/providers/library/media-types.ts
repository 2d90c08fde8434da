/** Content types of the files in a library, by file extension. */
export const VIDEO_TYPES: Record<string, string> = {
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  f4v: 'video/mp4',
  mov: 'video/quicktime',
  qt: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  mk3d: 'video/x-matroska',
  avi: 'video/x-msvideo',
  divx: 'video/x-msvideo',
  ogv: 'video/ogg',
  ogm: 'video/ogg',
  ts: 'video/mp2t',
  m2ts: 'video/mp2t',
  mts: 'video/mp2t',
  m2t: 'video/mp2t',
  tp: 'video/mp2t',
  trp: 'video/mp2t',
  mpg: 'video/mpeg',
  mpeg: 'video/mpeg',
  mpe: 'video/mpeg',
  m2v: 'video/mpeg',
  evo: 'video/mpeg',
  vro: 'video/mpeg',
  vob: 'video/mpeg',
  wmv: 'video/x-ms-wmv',
  asf: 'video/x-ms-asf',
  flv: 'video/x-flv',
  wtv: 'video/x-ms-wtv',
  'dvr-ms': 'video/x-ms-dvr',
  rm: 'application/vnd.rn-realmedia',
  rmvb: 'application/vnd.rn-realmedia-vbr',
  mxf: 'application/mxf',
  dv: 'video/x-dv',
  '3gp': 'video/3gpp',
  '3g2': 'video/3gpp2',
}
export const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl'
export const WEBVTT_TYPE = 'text/vtt; charset=utf-8'
/** Subtitle files are converted to WebVTT when they are sent. */
export const SUBTITLE_EXTENSIONS = ['srt', 'vtt', 'ass', 'ssa', 'sub']
const CONTENT_TYPES_BY_EXTENSION: Record<string, string> = {
  ...VIDEO_TYPES,
  m3u8: PLAYLIST_TYPE,
  m4s: 'video/iso.segment',
  cmfv: 'video/mp4',
  cmfa: 'audio/mp4',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  mp3: 'audio/mpeg',
  ...Object.fromEntries(SUBTITLE_EXTENSIONS.map((extension) => [extension, WEBVTT_TYPE])),
}

/** Returns the file extension in lower case, without the dot; empty when there is none. */
export function getFileExtension(path: string): string {
  return /\.(dvr-ms|[a-z\d]{1,5})$/i.exec(path)?.[1]?.toLowerCase() ?? ''
}

/** Returns a path, or the name of a file, without its extension and the dot. The path must have an extension. */
export const removeFileExtension = (path: string): string => path.slice(0, -getFileExtension(path).length - 1)

/**
 * Returns the content type for a file extension; null for files that are not served. The type is never taken from the
 * file content or an upstream (security.md, decision 8).
 */
export function getContentType(path: string): string | null {
  return CONTENT_TYPES_BY_EXTENSION[getFileExtension(path)] ?? null
}
