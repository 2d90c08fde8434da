/** Rewrites HLS playlists (RFC 8216): replaces each URL, except `data:` URLs, with a signed URL. */

import { createEventLoopYield } from '../history-import/yield-to-event-loop.ts'

export const MAX_PLAYLIST_BYTES = 5 * 1024 * 1024
/**
 * Maximum number of URLs of a playlist. Encrypting and signing each of them takes time. Twelve hours of segments of two
 * seconds have 21,600 URLs.
 */
export const MAX_PLAYLIST_URLS = 30_000

/**
 * Returns the signed URL of `uri`, or null to reject the whole playlist. `kind` is `part` for a segment, key
 * or subtitle.
 */
export type SignPart = (uri: string, kind: 'playlist' | 'part') => string | null

/**
 * Returns the playlist with signed URLs. Returns null when the text is not a playlist, `signPart` rejects one of its
 * URLs, or it has more than MAX_PLAYLIST_URLS of them.
 */
export async function signPlaylist(playlistText: string, signPart: SignPart): Promise<string | null> {
  if (!/^\ufeff?#EXTM3U\s/.test(playlistText)) return null
  const isMultivariant = /^#EXT-X-(?:STREAM-INF|I-FRAME-STREAM-INF|MEDIA):/m.test(playlistText)
  let urlCount = 0
  let isPlaylistRejected = false
  const signUri = (uri: string, kind: 'playlist' | 'part') => {
    if (/^data:/i.test(uri)) return uri
    urlCount += 1
    const signedUri = urlCount > MAX_PLAYLIST_URLS ? null : signPart(uri, kind)
    isPlaylistRejected ||= signedUri === null
    return signedUri ?? ''
  }
  const signLineUris = (line: string): string => {
    const trimmedLine = line.trim()
    if (trimmedLine === '') return line
    if (!trimmedLine.startsWith('#')) return signUri(trimmedLine, isMultivariant ? 'playlist' : 'part')
    const isPlaylistTag = /^#EXT-X-(?:MEDIA|I-FRAME-STREAM-INF|RENDITION-REPORT):/.test(trimmedLine)
    return line.replace(/([:,]\s*(?:URI|X-ASSET-URI)=")([^"\r\n]*)"/g, (_, prefix: string, uri: string) => {
      return `${prefix}${signUri(uri, isPlaylistTag ? 'playlist' : 'part')}"`
    })
  }
  const yieldToEventLoop = createEventLoopYield()
  const lines: string[] = []
  for (const line of playlistText.split('\n')) {
    lines.push(signLineUris(line))
    if (isPlaylistRejected) return null
    const pausePromise = yieldToEventLoop()
    if (pausePromise) await pausePromise
  }
  return lines.join('\n')
}

/**
 * Resolves `uri`, as written in the playlist at `playlistPath`, to a path within the folder `baseFolder`.
 * Returns null when the path is outside of `baseFolder` or `uri` is not a relative path.
 */
export function resolveWithinFolder(playlistPath: string, baseFolder: string, uri: string): string | null {
  const [uriPath = ''] = uri.split(/[?#]/)
  if (/^[a-z][a-z\d+.-]*:/i.test(uriPath) || uriPath.startsWith('/') || uriPath.includes('\\')) return null
  let decodedPath: string
  try {
    decodedPath = decodeURIComponent(uriPath)
  } catch {
    return null
  }
  if (/[\0\\]/.test(decodedPath)) return null
  const pathSegments = playlistPath.split('/').slice(0, -1)
  for (const pathSegment of decodedPath.split('/')) {
    if (pathSegment === '' || pathSegment === '.') continue
    if (pathSegment !== '..') pathSegments.push(pathSegment)
    else if (pathSegments.pop() === undefined) return null
  }
  const resolvedPath = pathSegments.join('/')
  return baseFolder === '' || resolvedPath.startsWith(`${baseFolder}/`) ? resolvedPath : null
}
