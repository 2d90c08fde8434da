/** Where a title can be played from: signed, expiring addresses, bound to login and profile (security.md, decision 8). */
import type { Stream } from '../../src/lib/contract/stream.ts'
import type { Deps } from '../deps.ts'
import type { Viewer } from '../http/caller.ts'
import { Problem } from '../problem.ts'
import { demoClip } from '../providers/demo-clips.ts'
import { titleBy } from '../queries/catalogue.ts'
import { episodeExists } from '../queries/details.ts'
import { sameText, sign } from './secret.ts'

/** Signed addresses live so long; the player asks again before. */
const LIFE_MS = 4 * 3_600_000

export interface MediaClaim {
  file: string
  expires: number
  sid: string
  titleId: number
}

const signature = (deps: Deps, claim: MediaClaim) =>
  sign(deps.keys.media, 'media', claim.file, claim.expires, claim.sid, claim.titleId)

function addressOf(deps: Deps, claim: MediaClaim): string {
  const query = new URLSearchParams({
    e: String(claim.expires),
    l: claim.sid,
    t: String(claim.titleId),
    s: signature(deps, claim),
  })
  return `/proxy/m/${encodeURIComponent(claim.file)}?${query}`
}

/** The claim of an address that we signed and that has not run out; otherwise null. */
export function readClaim(
  deps: Deps,
  file: string,
  query: Record<string, string | undefined>,
): MediaClaim | null {
  const claim = { file, expires: Number(query['e']), sid: query['l'] ?? '', titleId: Number(query['t']) }
  if (!Number.isSafeInteger(claim.expires) || !Number.isSafeInteger(claim.titleId)) return null
  return sameText(query['s'] ?? '', signature(deps, claim)) && claim.expires > deps.now() ? claim : null
}

interface Asked {
  type: 'movie' | 'tv'
  imdbId: string
  season?: number
  episode?: number
  quality: string
}

/** Throws 404 when the title is not for this audience, or nothing plays it. */
export async function lookup(deps: Deps, caller: Viewer, asked: Asked): Promise<Stream> {
  const title = await titleBy(deps.database.reader, caller.audience, asked.type, { imdbId: asked.imdbId })
  if (!title) throw new Problem('not_found')
  if (asked.type === 'tv') {
    const place = { titleId: title.title_id, season: asked.season ?? 0, episode: asked.episode ?? 0 }
    if (!(await episodeExists(deps.database.reader, place))) throw new Problem('not_found')
  }
  if (!deps.config.demo) throw new Problem('not_found')
  const clip = demoClip(asked.type)
  const expires = deps.now() + LIFE_MS
  const url = (file: string) =>
    addressOf(deps, { file, expires, sid: caller.login.sid, titleId: title.title_id })
  const most = asked.quality === 'auto' ? Number.POSITIVE_INFINITY : Number.parseInt(asked.quality, 10)
  const fitting = clip.sources.filter((source) => Number.parseInt(source.quality, 10) <= most)
  return {
    sources: (fitting.length > 0 ? fitting : clip.sources).map((source) => ({
      url: url(source.file),
      mime_type: 'video/mp4',
      quality: source.quality,
      size: source.size,
    })),
    subtitles: clip.subtitles.map(({ file, lang, label }) => ({ lang, label, url: url(file) })),
    credits_at: clip.creditsAt,
  }
}
