/**
 * The Stremio add-on protocol (https://github.com/Stremio/stremio-addon-sdk, docs/protocol.md) as a stream
 * resolver: manifest, streams and subtitles. Only streams with a `url` are used; torrents and pages of other
 * sites are skipped. All replies are untrusted.
 */
import * as z from 'zod/mini'
import { getContentType, PLAYLIST_TYPE } from './library/media-types.ts'
import { parseQuality } from './library/quality.ts'
import { formatSubtitleLabel, parseSubtitleLanguage } from './library/subtitle-name.ts'
import type { LookupProtocol, SendLookup, UpstreamQuery } from './lookup-protocol.ts'
import type { UpstreamReply, UpstreamSource } from './upstream-reply.ts'

const MANIFEST_NAME = 'manifest.json'
const MANIFEST_LIFETIME_MS = 3_600_000
const MAX_STREAMS = 50
const MAX_SUBTITLES = 100
/**
 * Maximum number of parsed elements per list of a reply. The number is higher than MAX_STREAMS, because many elements
 * may be unusable.
 */
const MAX_PARSED_ELEMENTS = 1_000

/** True for the address of a manifest. Stremio add-ons are installed by this address. */
export const isStremioAddress = ({ pathname }: URL) => pathname.endsWith(`/${MANIFEST_NAME}`)

const textSchema = z.catch(z.nullish(z.string().check(z.maxLength(2_000))), null)
const namesSchema = z.array(z.string().check(z.maxLength(100))).check(z.maxLength(100))
const manifestSchema = z.object({
  types: z.catch(namesSchema, []),
  idPrefixes: z.catch(z.nullish(namesSchema), null),
  resources: z.array(
    z.union([
      z.string(),
      z.object({
        name: z.string(),
        types: z.catch(z.nullish(namesSchema), null),
        idPrefixes: z.catch(z.nullish(namesSchema), null),
      }),
    ]),
  ),
})
type StremioManifest = z.infer<typeof manifestSchema>

const subtitleSchema = z.object({
  url: z.string().check(z.minLength(1), z.maxLength(2_000)),
  lang: z.string().check(z.maxLength(100)),
})
const streamSchema = z.object({
  url: z.string().check(z.minLength(1), z.maxLength(2_000)),
  name: textSchema,
  title: textSchema,
  description: textSchema,
  subtitles: z.catch(z.nullish(z.array(z.unknown())), null),
  behaviorHints: z.catch(
    z.nullish(
      z.object({
        filename: textSchema,
        videoSize: z.catch(z.nullish(z.int().check(z.minimum(0))), null),
        proxyHeaders: z.catch(
          z.nullish(z.object({ request: z.nullish(z.record(z.string(), z.unknown())) })),
          null,
        ),
      }),
    ),
    null,
  ),
})
type StremioStream = z.infer<typeof streamSchema>
const streamsSchema = z.object({ streams: z.catch(z.nullish(z.array(z.unknown())), null) })
const subtitlesSchema = z.object({ subtitles: z.catch(z.nullish(z.array(z.unknown())), null) })

/** Returns the protocol of one add-on. Its manifest is cached for an hour. */
export function createStremioProtocol(now: () => number): LookupProtocol {
  let manifest: StremioManifest | null = null
  let manifestExpiresAtMs = 0
  async function loadManifest(sendLookup: SendLookup, baseUrl: URL): Promise<StremioManifest> {
    if (manifest && now() < manifestExpiresAtMs) return manifest
    manifest = z.parse(manifestSchema, await sendLookup(resolveResourceUrl(baseUrl, MANIFEST_NAME)))
    manifestExpiresAtMs = now() + MANIFEST_LIFETIME_MS
    return manifest
  }
  return {
    async testResolver(sendLookup, baseUrl) {
      manifestExpiresAtMs = 0
      await loadManifest(sendLookup, baseUrl)
    },
    async lookUp(sendLookup, baseUrl, query) {
      const loadedManifest = await loadManifest(sendLookup, baseUrl)
      if (!hasResource(loadedManifest, 'stream', query)) return null
      const streams = await loadStreams(sendLookup, baseUrl, query)
      const sources = streams.slice(0, MAX_STREAMS).map(toUpstreamSource)
      if (sources.length === 0) return null
      const subtitles = toSubtitles(streams.flatMap((stream) => stream.subtitles ?? []))
      if (hasResource(loadedManifest, 'subtitles', query))
        subtitles.push(...(await loadSubtitles(sendLookup, baseUrl, query)))
      return { sources, subtitles: removeDuplicateSubtitles(subtitles).slice(0, MAX_SUBTITLES) }
    },
  }
}

const getStremioType = ({ type }: UpstreamQuery) => (type === 'tv' ? 'series' : 'movie')

function hasResource(manifest: StremioManifest, name: string, query: UpstreamQuery): boolean {
  return manifest.resources.some((resource) => {
    const resourceName = typeof resource === 'string' ? resource : resource.name
    const types = (typeof resource === 'object' && resource.types) || manifest.types
    const idPrefixes = (typeof resource === 'object' && resource.idPrefixes) || manifest.idPrefixes || []
    return (
      resourceName === name &&
      (types.length === 0 || types.includes(getStremioType(query))) &&
      (idPrefixes.length === 0 || idPrefixes.some((prefix) => query.imdbId.startsWith(prefix)))
    )
  })
}

/**
 * Returns the URL of a resource beside the manifest, such as `stream/movie/tt0113277.json`. The query of the
 * manifest's URL is kept.
 */
function resolveResourceUrl(baseUrl: URL, path: string): URL {
  const url = new URL(baseUrl)
  url.pathname = baseUrl.pathname.slice(0, -MANIFEST_NAME.length) + path
  return url
}

function buildResourcePath(resource: string, query: UpstreamQuery): string {
  const videoId = query.type === 'tv' ? `${query.imdbId}:${query.season}:${query.episode}` : query.imdbId
  return `${resource}/${getStremioType(query)}/${videoId}.json`
}

async function loadStreams(
  sendLookup: SendLookup,
  baseUrl: URL,
  query: UpstreamQuery,
): Promise<StremioStream[]> {
  const reply = z.parse(
    streamsSchema,
    (await sendLookup(resolveResourceUrl(baseUrl, buildResourcePath('stream', query)))) ?? {},
  )
  return (reply.streams ?? []).slice(0, MAX_PARSED_ELEMENTS).flatMap((stream) => {
    const parsedStream = z.safeParse(streamSchema, stream)
    return parsedStream.success && /^(?:https?:\/\/|\/)/i.test(parsedStream.data.url)
      ? [parsedStream.data]
      : []
  })
}

/**
 * Returns the subtitles that the add-on has for a title. Returns an empty list if the request fails, so that the stream
 * plays without these subtitles.
 */
async function loadSubtitles(
  sendLookup: SendLookup,
  baseUrl: URL,
  query: UpstreamQuery,
): Promise<UpstreamReply['subtitles']> {
  const body = await sendLookup(resolveResourceUrl(baseUrl, buildResourcePath('subtitles', query))).catch(
    () => null,
  )
  const reply = z.safeParse(subtitlesSchema, body ?? {})
  return reply.success ? toSubtitles(reply.data.subtitles) : []
}

function toUpstreamSource(stream: StremioStream): UpstreamSource {
  const { url, name, title, description, behaviorHints } = stream
  const fileName = behaviorHints?.filename ?? ''
  const path = URL.parse(url, 'http://localhost')?.pathname ?? ''
  const type = getContentType(path) ?? getContentType(fileName)
  const lineWithQuality = [name, title, description, fileName].find((line) => line && parseQuality(line))
  const headers = selectProxyHeaders(behaviorHints?.proxyHeaders?.request ?? {})
  return {
    url,
    ...(type && { mime_type: type }),
    quality: (lineWithQuality && parseQuality(lineWithQuality)) ?? 'auto',
    size: type === PLAYLIST_TYPE ? null : (behaviorHints?.videoSize ?? null),
    ...(Object.keys(headers).length > 0 && { headers }),
  }
}

/**
 * Names of the request headers that the reply of an add-on may set for requests to the media host. Headers that start
 * with `x-` are allowed too. These headers describe the client and its rights. Other headers are ignored, because they
 * could change the connection or the meaning of the request.
 */
const PROXY_HEADERS = new Set([
  'user-agent',
  'referer',
  'origin',
  'authorization',
  'cookie',
  'accept',
  'accept-language',
])

function selectProxyHeaders(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      (PROXY_HEADERS.has(name.toLowerCase()) || /^x-[a-z\d-]{1,40}$/i.test(name)) &&
      typeof value === 'string' &&
      /^[\x20-\x7e]{1,1000}$/.test(value)
        ? [[name, value]]
        : [],
    ),
  )
}

function toSubtitles(subtitles: unknown[] | null | undefined): UpstreamReply['subtitles'] {
  return (subtitles ?? []).slice(0, MAX_PARSED_ELEMENTS).flatMap((subtitle) => {
    const parsedSubtitle = z.safeParse(subtitleSchema, subtitle)
    const lang = parsedSubtitle.success ? parseSubtitleLanguage(parsedSubtitle.data.lang) : null
    if (!parsedSubtitle.success || !lang) return []
    return [
      { url: parsedSubtitle.data.url, lang, label: formatSubtitleLabel({ lang, forced: false, sdh: false }) },
    ]
  })
}

const removeDuplicateSubtitles = (subtitles: UpstreamReply['subtitles']) => [
  ...new Map(subtitles.map((subtitle) => [subtitle.url, subtitle])).values(),
]
