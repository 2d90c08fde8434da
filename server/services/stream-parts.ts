/** Signs what an HLS playlist names, for the same viewer and as long as the playlist itself. */
import type { Deps } from '../deps.ts'
import { isStreamPart } from '../providers/library/library.ts'
import { extensionOf, PLAYLIST_TYPE, typeOf } from '../providers/library/media-types.ts'
import { addressOf, type MediaClaim, type Place } from './stream-claim.ts'
import { signPlaylist, withinFolder } from './stream-playlist.ts'

/** Null when it is no playlist, or names anything outside its own folder (or its operator's origins). */
export function signedPlaylist(deps: Deps, claim: MediaClaim, text: string): string | null {
  const { from } = claim.place
  return signPlaylist(text, (uri, kind) => {
    const part =
      from === 'upstream' ? upstreamPart(deps, claim.place, uri, kind) : libraryPart(claim.place, uri)
    return part && addressOf(deps, { ...claim, place: part.place }, part.ending)
  })
}

function libraryPart({ name, base = '' }: Place, uri: string) {
  const path = base === '' ? null : withinFolder(name, base, uri)
  if (path === null || !isStreamPart(path)) return null
  return { place: { from: 'library' as const, name: path, base }, ending: extensionOf(path) }
}

function upstreamPart(deps: Deps, { name }: Place, uri: string, kind: 'playlist' | 'part') {
  const from = URL.parse(name)
  const url = from && deps.streams.upstream?.allowed(uri, from)
  if (!url) return null
  const hint = kind === 'playlist' ? PLAYLIST_TYPE : (typeOf(url.pathname) ?? 'application/octet-stream')
  const ending = kind === 'playlist' ? 'm3u8' : extensionOf(url.pathname) || 'bin'
  return {
    place: { from: 'upstream' as const, name: url.href, hint },
    ending: /^[a-z\d]{2,4}$/.test(ending) ? ending : 'bin',
  }
}
