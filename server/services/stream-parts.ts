/** Signs the URLs of an HLS playlist for the same viewer, with the same expiry as the playlist. */
import type { Deps } from '../deps.ts'
import { isStreamPart } from '../providers/library/library.ts'
import { extensionOf, PLAYLIST_TYPE, typeOf } from '../providers/library/media-types.ts'
import { addressOf, type MediaClaim, type Place } from './stream-claim.ts'
import { signPlaylist, withinFolder } from './stream-playlist.ts'

/** Returns the playlist with signed URLs; null when it is no playlist, or refers to anything outside its folder or the allowed origins. */
export function signedPlaylist(deps: Deps, claim: MediaClaim, text: string): string | null {
  const { from } = claim.place
  return signPlaylist(text, (uri, kind) => {
    const part =
      from === 'upstream'
        ? resolveUpstreamPart(deps, claim.place, uri, kind)
        : resolveLibraryPart(claim.place, uri)
    return part && addressOf(deps, { ...claim, place: part.location }, part.extension)
  })
}

interface PlaylistPart {
  location: Place
  extension: string
}

function resolveLibraryPart({ name, base = '' }: Place, uri: string): PlaylistPart | null {
  const path = base === '' ? null : withinFolder(name, base, uri)
  if (path === null || !isStreamPart(path)) return null
  return { location: { from: 'library', name: path, base }, extension: extensionOf(path) }
}

function resolveUpstreamPart(
  deps: Deps,
  { name }: Place,
  uri: string,
  kind: 'playlist' | 'part',
): PlaylistPart | null {
  const from = URL.parse(name)
  const url = from && deps.streams.upstream?.allowed(uri, from)
  if (!url) return null
  const hint = kind === 'playlist' ? PLAYLIST_TYPE : (typeOf(url.pathname) ?? 'application/octet-stream')
  const extension = kind === 'playlist' ? 'm3u8' : extensionOf(url.pathname) || 'bin'
  return {
    location: { from: 'upstream', name: url.href, hint },
    extension: /^[a-z\d]{2,4}$/.test(extension) ? extension : 'bin',
  }
}
