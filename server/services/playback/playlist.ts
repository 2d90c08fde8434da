/** Rewrites HLS playlists (RFC 8216). Each URL is replaced by a signed URL. Everything else is unchanged. */

export const MAX_PLAYLIST_BYTES = 5 * 1024 * 1024

/**
 * Returns the signed URL of `uri`, or null to reject the whole playlist. `kind` is `part` for a segment, key
 * or subtitle.
 */
export type SignPart = (uri: string, kind: 'playlist' | 'part') => string | null

/**
 * Returns the playlist with signed URLs. Returns null when the text is not a playlist, or `signPart` rejects
 * one of its URLs.
 */
export function signPlaylist(text: string, signPart: SignPart): string | null {
  if (!/^\ufeff?#EXTM3U\s/.test(text)) return null
  const isMultivariant = /^#EXT-X-(?:STREAM-INF|I-FRAME-STREAM-INF|MEDIA):/m.test(text)
  let isRejected = false
  const signUri = (uri: string, kind: 'playlist' | 'part') => {
    if (/^data:/i.test(uri)) return uri
    const signed = signPart(uri, kind)
    isRejected ||= signed === null
    return signed ?? ''
  }
  const lines = text.split('\n').map((line) => {
    const trimmed = line.trim()
    if (trimmed === '') return line
    if (!trimmed.startsWith('#')) return signUri(trimmed, isMultivariant ? 'playlist' : 'part')
    const isPlaylistTag = /^#EXT-X-(?:MEDIA|I-FRAME-STREAM-INF|RENDITION-REPORT):/.test(trimmed)
    return line.replace(/([:,]\s*(?:URI|X-ASSET-URI)=")([^"\r\n]*)"/g, (_, prefix: string, uri: string) => {
      return `${prefix}${signUri(uri, isPlaylistTag ? 'playlist' : 'part')}"`
    })
  })
  return isRejected ? null : lines.join('\n')
}

/**
 * Resolves `uri`, as written in the playlist at `path`, to a path within the folder `base`. Returns null when
 * the path is outside of `base` or `uri` is not a relative path.
 */
export function resolveWithinFolder(path: string, base: string, uri: string): string | null {
  const [uriPath = ''] = uri.split(/[?#]/)
  if (/^[a-z][a-z\d+.-]*:/i.test(uriPath) || uriPath.startsWith('/') || uriPath.includes('\\')) return null
  let name: string
  try {
    name = decodeURIComponent(uriPath)
  } catch {
    return null
  }
  if (/[\0\\]/.test(name)) return null
  const parts = path.split('/').slice(0, -1)
  for (const part of name.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  const resolved = parts.join('/')
  return base === '' || resolved.startsWith(`${base}/`) ? resolved : null
}
