/** A request for the sources of a title. Every function that finds streams receives a `StreamLookup`. */
import type { AudioKind } from '../../../src/lib/contract/playback.ts'
import type { TitleRow } from '../../queries/title.ts'
import type { Viewer } from '../auth/caller.ts'
import type { Deps } from '../deps.ts'
import type { MediaLocation } from './media-url.ts'

export interface StreamQuery {
  type: 'movie' | 'tv'
  /** The IMDb id of the title, or its id in the catalogue. */
  titleIdentifier: string
  season?: number
  episode?: number
  quality: string
  /** Code that lists the decoders of the browser. */
  decoders?: string | undefined
  /** Index of the wanted audio track. */
  audio?: number | undefined
  audioLanguage?: string | undefined
  audioKind?: AudioKind | undefined
  /** Index of the picture subtitle to draw into the video. */
  burntInSubtitle?: number | undefined
}
/** A stream query with its context. */
export interface StreamLookup {
  deps: Deps
  caller: Viewer
  title: TitleRow
  query: StreamQuery
  /** Returns the signed URL of a location, for this caller and title. */
  signUrl: (location: MediaLocation, extension: string) => string
  /**
   * Returns the signed URL of the folder of a converted stream, of thumbnails, or of an embedded subtitle in its own
   * format.
   */
  signFolderUrl: (location: MediaLocation) => string
  /** Returns the signed URL of the playlist of a converted stream. */
  signPlaylistUrl: (location: MediaLocation) => string
}
