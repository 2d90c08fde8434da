import * as calls from '../../src/lib/contract/playback.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { lookUpStream } from '../services/playback/stream.ts'

interface StreamOptionsQuery {
  quality: string
  decoders?: string | undefined
  audio?: number | undefined
  audio_language?: string | undefined
  audio_kind?: calls.AudioKind | undefined
  burnt_in_subtitle?: number | undefined
}
const toStreamOptions = (query: StreamOptionsQuery) => ({
  quality: query.quality,
  decoders: query.decoders,
  audio: query.audio,
  audioLanguage: query.audio_language,
  audioKind: query.audio_kind,
  burntInSubtitle: query.burnt_in_subtitle,
})

export const streamRoutes: Route[] = [
  defineRoute(calls.getMovieStream, ({ deps, caller, params, query }) =>
    lookUpStream(deps, caller, { type: 'movie', titleIdentifier: params.imdbId, ...toStreamOptions(query) }),
  ),
  defineRoute(calls.getEpisodeStream, ({ deps, caller, params, query }) => {
    const { imdbId: titleIdentifier, ...episodeNumbers } = params
    return lookUpStream(deps, caller, {
      type: 'tv',
      titleIdentifier,
      ...episodeNumbers,
      ...toStreamOptions(query),
    })
  }),
]
