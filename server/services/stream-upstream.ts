/** A title at the operator's own resolver; what it answers is fetched through here, under our own signed addresses. */
import type { Stream } from '../../src/lib/contract/playback.ts'
import { errorFields } from '../http/log.ts'
import { Problem } from '../problem.ts'
import { PLAYLIST_TYPE, typeOf } from '../providers/library/media-types.ts'
import { UpstreamBusy } from '../providers/upstream.ts'
import type { Question } from './stream.ts'

const SUBTITLE_TYPE = 'text/vtt; charset=utf-8'
/** Types that an upstream may call its media, with the ending that players expect. */
const KNOWN: Record<string, string> = {
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
  'video/mp2t': 'ts',
  [PLAYLIST_TYPE]: 'm3u8',
  [SUBTITLE_TYPE]: 'vtt',
}
const endingOf = (type: string) => KNOWN[type] ?? 'bin'

/** Null when it knows nothing. Throws 502 when it does not answer as it should, 429 when one account asks too much at once. */
export async function askUpstream({ deps, caller, title, asked, address }: Question): Promise<Stream | null> {
  const { upstream } = deps.streams
  if (!upstream) return null
  const question = { ...asked, title: title.original_title, year: title.year }
  const answer = await upstream.lookup(question, caller.account.account_id).catch((error: unknown) => {
    if (error instanceof UpstreamBusy) throw new Problem('rate_limited', { retryAfter: 1 })
    deps.log.warn('upstream', errorFields(error))
    throw new Problem('upstream_error', { cause: error })
  })
  if (!answer) return null
  const signed = (url: string, type: string | undefined) => {
    const allowed = upstream.allowed(url)
    if (!allowed) return null
    const hint = typeOf(allowed.pathname) ?? type ?? 'video/mp4'
    return { type: hint, url: address({ from: 'upstream', name: allowed.href, hint }, endingOf(hint)) }
  }
  const sources = answer.sources.flatMap(({ url, mime_type, quality = 'auto', size = null }) => {
    const found = signed(url, mime_type && KNOWN[mime_type] ? mime_type : undefined)
    return found ? [{ url: found.url, mime_type: found.type, quality, size }] : []
  })
  if (sources.length === 0) {
    deps.log.warn('upstream', { error: 'its media are on origins that STREAM_MEDIA_ORIGINS does not name' })
    throw new Problem('upstream_error')
  }
  const subtitles = answer.subtitles.flatMap(({ url, lang, label = lang }) => {
    const found = signed(url, SUBTITLE_TYPE)
    return found?.type === SUBTITLE_TYPE ? [{ lang, label, url: found.url }] : []
  })
  const { intro, credits_at } = answer
  return { sources, subtitles, ...(intro && { intro }), ...(credits_at !== undefined && { credits_at }) }
}
