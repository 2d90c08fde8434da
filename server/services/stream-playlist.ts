/** HLS playlists on their way out: each address in them becomes a signed one; everything else stays as it is (RFC 8216). */

export const PLAYLIST_MOST_BYTES = 5 * 1024 * 1024

/** Signs what a playlist names; null refuses. `playlist` tells one within a playlist from a segment, key or subtitle. */
export type SignPart = (uri: string, kind: 'playlist' | 'part') => string | null

/** Null when the text is no playlist, or names something that may not be had: then nothing of it is served. */
export function signPlaylist(text: string, signPart: SignPart): string | null {
  if (!/^\ufeff?#EXTM3U\s/.test(text)) return null
  const many = /^#EXT-X-(?:STREAM-INF|I-FRAME-STREAM-INF|MEDIA):/m.test(text)
  let refused = false
  const address = (uri: string, kind: 'playlist' | 'part') => {
    if (/^data:/i.test(uri)) return uri
    const signed = signPart(uri, kind)
    refused ||= signed === null
    return signed ?? ''
  }
  const lines = text.split('\n').map((line) => {
    const plain = line.trim()
    if (plain === '') return line
    if (!plain.startsWith('#')) return address(plain, many ? 'playlist' : 'part')
    const lists = /^#EXT-X-(?:MEDIA|I-FRAME-STREAM-INF|RENDITION-REPORT):/.test(plain)
    return line.replace(/([:,]\s*(?:URI|X-ASSET-URI)=")([^"\r\n]*)"/g, (_, head: string, uri: string) => {
      return `${head}${address(uri, lists ? 'playlist' : 'part')}"`
    })
  })
  return refused ? null : lines.join('\n')
}

/** `uri` as written in the playlist at `path`, as a path that stays within `base`; null when it leaves. */
export function withinFolder(path: string, base: string, uri: string): string | null {
  const [plain = ''] = uri.split(/[?#]/)
  if (/^[a-z][a-z\d+.-]*:/i.test(plain) || plain.startsWith('/') || plain.includes('\\')) return null
  let name: string
  try {
    name = decodeURIComponent(plain)
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
  const found = parts.join('/')
  return base === '' || found.startsWith(`${base}/`) ? found : null
}
