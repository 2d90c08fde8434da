/** Interface of the clients of Jellyfin and Plex servers. Both implementations are in this folder. */
import type { MediaServerProblem } from '../../../src/lib/rules/media-server-problems.ts'
import type { MediaInformation } from '../ffmpeg/media-probe.ts'
import type { PlaybackMarks } from '../library/playback-marks.ts'
import type { Upstream } from '../upstream.ts'

export class MediaServerError extends Error {
  readonly problem: MediaServerProblem

  constructor(problem: MediaServerProblem, options?: ErrorOptions) {
    super(`media server: ${problem}`, options)
    this.problem = problem
  }
}

/** Ids of a movie, a series or an episode in public databases. */
export interface ProviderIds {
  imdbId: string | null
  tmdbId: number | null
  tvdbId: number | null
}
/** A movie or an episode, as the media server describes it. */
export interface RemoteItem {
  remoteId: string
  kind: 'movie' | 'tv'
  name: string
  year: number | null
  /** Ids of the movie, or of the episode and not of its series. */
  ids: ProviderIds
  seriesRemoteId: string | null
  seriesName: string | null
  season: number | null
  episodes: number[]
}

export interface RemoteSubtitle {
  url: string
  lang: string
  forced: boolean
  sdh: boolean
}
/** One file of an item, with the data that a player needs. */
export interface RemoteVersion {
  id: string
  /** File name extension of the container, such as `mkv`. */
  extension: string
  sizeBytes: number | null
  information: MediaInformation
  marks: PlaybackMarks
  /** URL of the unconverted file. */
  directUrl: string
  /** Subtitles that the server sends as text. */
  subtitles: RemoteSubtitle[]
  /** True when the server can convert the file with an audio track other than the default. */
  canChooseAudio: boolean
  buildHlsUrl: (options: { audioIndex: number | null; maxHeight: number; sessionId: string }) => string
}
/** The position of a viewer in an item. */
export interface PlaybackReport {
  event: 'start' | 'progress' | 'stop'
  remoteId: string
  sessionId: string
  positionSeconds: number
  durationSeconds: number
}

interface ListItemsOptions {
  /** Lists only items that have changed since this time; null lists all items. */
  changedSinceMs: number | null
  signal: AbortSignal
}
/**
 * The functions of this interface throw `MediaServerError`. Of the inherited functions, `fetchMedia` throws
 * `UpstreamError`, and `resolveAllowedUrl` never throws.
 */
export interface MediaServerClient extends Pick<Upstream, 'resolveAllowedUrl' | 'fetchMedia'> {
  /** Sends the smallest requests that show whether the address, the token and the version can be used. */
  testConnection: () => Promise<{ name: string; version: string }>
  /** Returns the number of movies and episodes. */
  countItems: () => Promise<number>
  /**
   * Yields movies and episodes page by page. `total` is the number of items to list, of the whole server (Jellyfin) or
   * of the library section that is being listed (Plex).
   */
  listItems: (options: ListItemsOptions) => AsyncGenerator<{ items: RemoteItem[]; total: number }>
  /**
   * Returns the ids of every series of the server in public databases (IMDb, TMDB, TVDB). The keys of the map are the
   * ids of the series on the server.
   */
  loadSeriesProviderIds: (signal: AbortSignal) => Promise<Map<string, ProviderIds>>
  /** Returns the files of an item; none when the server no longer has it. */
  loadVersions: (remoteId: string) => Promise<RemoteVersion[]>
  /** Sends the position of a viewer. This is the only request that changes something on the server. */
  reportPlayback: (report: PlaybackReport) => Promise<void>
}
