import * as calls from '../../src/lib/contract/playback.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { lookUpStream } from '../services/playback/stream.ts'

interface StreamOptionsQuery {
  quality: string
  decoders?: string | undefined
  audio?: number | undefined
  audio_language?: string | undefined
}
const toStreamOptions = ({ quality, decoders, audio, audio_language }: StreamOptionsQuery) => ({
  quality,
  decoders,
  audio,
  audioLanguage: audio_language,
})

export const streamRoutes: Route[] = [
  defineRoute(calls.getMovieStream, ({ deps, caller, params, query }) =>
    lookUpStream(deps, caller, { type: 'movie', imdbId: params.imdbId, ...toStreamOptions(query) }),
  ),
  defineRoute(calls.getEpisodeStream, ({ deps, caller, params, query }) =>
    lookUpStream(deps, caller, { type: 'tv', ...params, ...toStreamOptions(query) }),
  ),
]
