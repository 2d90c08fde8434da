/**
 * Looks up a title at the operator's stream resolvers. Browsers receive signed URLs of this server, never URLs of a
 * resolver.
 */
import type { StreamInfo } from '../../../src/lib/contract/playback.ts'
import { runOptionalWrite } from '../../core/database-unavailable.ts'
import { toErrorFields } from '../../core/log.ts'
import { Problem } from '../../core/problem.ts'
import { getContentType, PLAYLIST_TYPE, WEBVTT_TYPE } from '../../providers/library/media-types.ts'
import { parseSubtitleLanguage } from '../../providers/library/subtitle-name.ts'
import { UpstreamBusyError } from '../../providers/upstream.ts'
import { saveResolverReply } from '../library/availability-requests.ts'
import type { StreamLookup } from './stream-lookup.ts'
import { formatMediaRequestOptions } from './upstream-request.ts'

/** File extensions that players expect, by the content types that a resolver may declare. */
const EXTENSIONS_BY_CONTENT_TYPE: Record<string, string> = {
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
  'video/mp2t': 'ts',
  [PLAYLIST_TYPE]: 'm3u8',
  [WEBVTT_TYPE]: 'vtt',
}
const getExtensionOfContentType = (type: string) => EXTENSIONS_BY_CONTENT_TYPE[type] ?? 'bin'

/**
 * Returns the stream of a stream resolver that has the title. Returns null without a stream resolver, for a title
 * without an IMDb id, and when no resolver has a stream. Throws 502 when the resolvers fail or send no URL from an
 * allowed origin, and 429 when the account has too many open lookups.
 */
export async function findUpstreamStream({
  deps,
  caller,
  title,
  query,
  signUrl: signMediaUrl,
}: StreamLookup): Promise<StreamInfo | null> {
  const { upstream } = deps.streamSources
  if (!upstream || !title.imdb_id) return null
  const resolverQuery = { ...query, imdbId: title.imdb_id, title: title.original_title, year: title.year }
  const foundStreams = await upstream
    .lookupStreams(resolverQuery, caller.account.account_id)
    .catch((error: unknown) => {
      if (error instanceof UpstreamBusyError) throw new Problem('rate_limited', { retryAfterSeconds: 1 })
      deps.log.warn('upstream', toErrorFields(error))
      throw new Problem('upstream_error', { cause: error })
    })
  // Playback does not need this write, so playback also works while the database cannot be written.
  await runOptionalWrite(() => saveResolverReply(deps, title, foundStreams !== null))
  if (!foundStreams) return null
  const { resolver, reply: response } = foundStreams
  const signUrl = (
    url: string,
    mimeType: string | undefined,
    { headers = {}, lang }: { headers?: Record<string, string> | undefined; lang?: string } = {},
  ) => {
    const allowedUrl = resolver.upstream.resolveAllowedUrl(url)
    if (!allowedUrl) return null
    const contentType = getContentType(allowedUrl.pathname) ?? mimeType ?? 'video/mp4'
    return {
      type: contentType,
      url: signMediaUrl(
        {
          source: 'upstream',
          name: allowedUrl.href,
          base: formatMediaRequestOptions({ providerId: resolver.id, headers }),
          hint: contentType,
          ...(lang !== undefined && { lang }),
        },
        getExtensionOfContentType(contentType),
      ),
    }
  }
  const sources = response.sources.flatMap(({ url, mime_type, quality = 'auto', size = null, headers }) => {
    const source = signUrl(url, mime_type && EXTENSIONS_BY_CONTENT_TYPE[mime_type] ? mime_type : undefined, {
      headers,
    })
    return source ? [{ url: source.url, mime_type: source.type, quality, size }] : []
  })
  if (sources.length === 0) {
    deps.log.warn('upstream', {
      error: 'all media URLs have origins that are not allowed for this resolver',
    })
    throw new Problem('upstream_error')
  }
  const subtitles = response.subtitles.flatMap(({ url, lang, label = lang }) => {
    const subtitle = signUrl(url, WEBVTT_TYPE, { lang: parseSubtitleLanguage(lang) ?? lang })
    return subtitle?.type === WEBVTT_TYPE ? [{ lang, label, url: subtitle.url }] : []
  })
  const { intro, credits_at } = response
  return { sources, subtitles, ...(intro && { intro }), ...(credits_at !== undefined && { credits_at }) }
}
