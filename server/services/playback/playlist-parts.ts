/**
 * Signs the URLs in an HLS playlist. The signed URLs have the same viewer and expiry time as the URL of the
 * playlist.
 */

import { isHlsPartFile } from '../../providers/library/library.ts'
import { getContentType, getFileExtension, PLAYLIST_TYPE } from '../../providers/library/media-types.ts'
import type { Deps } from '../deps.ts'
import { type MediaClaim, type MediaLocation, signMediaUrl } from './media-url.ts'
import { resolveWithinFolder, signPlaylist } from './playlist.ts'
import { findMediaProvider } from './upstream-request.ts'

/**
 * Returns the playlist with signed URLs. Returns null when the text is not a playlist or contains too many URLs. Also
 * returns null when it contains a URL outside the folder of the stream or the allowed origins.
 */
export function signPlaylistParts(
  deps: Deps,
  claim: MediaClaim,
  playlistText: string,
): Promise<string | null> {
  const { source } = claim.location
  return signPlaylist(playlistText, (uri, kind) => {
    const playlistPart =
      source === 'upstream'
        ? resolveUpstreamPart(deps, claim.location, uri, kind)
        : resolveLibraryPart(claim.location, uri)
    return (
      playlistPart &&
      signMediaUrl(deps, { ...claim, location: playlistPart.location }, playlistPart.extension)
    )
  })
}

interface PlaylistPart {
  location: MediaLocation
  extension: string
}

function resolveLibraryPart({ name, base = '' }: MediaLocation, uri: string): PlaylistPart | null {
  const partPath = base === '' ? null : resolveWithinFolder(name, base, uri)
  if (partPath === null || !isHlsPartFile(partPath)) return null
  return { location: { source: 'library', name: partPath, base }, extension: getFileExtension(partPath) }
}

function resolveUpstreamPart(
  deps: Deps,
  location: MediaLocation,
  uri: string,
  kind: 'playlist' | 'part',
): PlaylistPart | null {
  const { name, base } = location
  const playlistUrl = URL.parse(name)
  const url =
    playlistUrl && findMediaProvider(deps, location)?.provider.upstream.resolveAllowedUrl(uri, playlistUrl)
  if (!url) return null
  const hint =
    kind === 'playlist' ? PLAYLIST_TYPE : (getContentType(url.pathname) ?? 'application/octet-stream')
  const extension = kind === 'playlist' ? 'm3u8' : getFileExtension(url.pathname) || 'bin'
  return {
    location: { source: 'upstream', name: url.href, ...(base !== undefined && { base }), hint },
    extension: /^[a-z\d]{2,4}$/.test(extension) ? extension : 'bin',
  }
}
