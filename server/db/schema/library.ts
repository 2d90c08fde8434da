/** Tables of the media folder and of media servers: their files, and the matches that administrators chose. */
import type { Generated } from 'kysely'
import type { TimestampMs } from './column-types.ts'

export interface LibraryTables {
  library_file: {
    file_id: Generated<number>
    /** Path relative to the media folder, separated by `/`. */
    path: string
    /** First folder of the path; empty for a file in the media folder itself. */
    folder: string
    size_bytes: number
    modified_at: TimestampMs
    /** `movie` or `tv`: the type of the chosen title, else the type derived from the file name. */
    kind: string
    /** `movie` or `tv`: the type derived from the file name. */
    named_kind: string
    parsed_title: string | null
    parsed_year: number | null
    season_number: number
    /** JSON array of episode numbers; empty for a movie. */
    episodes: string
    quality: string | null
    /** `matched`, `unmatched` or `ignored`. */
    state: string
    /** Why the file is not matched: a value of `UNTITLED_FILE_REASONS` (contract/admin-library.ts). */
    reason: string | null
    /** How the title was found: `id`, `name` or `choice`. */
    matched_by: string | null
    title_id: number | null
    /** JSON array of the ids of titles that the file may belong to. */
    candidates: string
    added_at: TimestampMs
  }
  library_choice: {
    choice_id: Generated<number>
    /** Path of a file, or of a folder. For a folder, the choice applies to its files with `parsed_title` and `kind`. */
    path: string
    /**
     * What the choice applies to: `file` or `folder`. `deleted` marks a file whose title was permanently deleted.
     */
    scope: string
    kind: string
    /** Folded title in the names of the files; empty when the choice applies to a single file. */
    parsed_title: string
    /** Null when the files belong to no title. */
    title_id: number | null
    /** Season and episode of a file whose name has no episode number. */
    season_number: number | null
    episode_number: number | null
    created_at: TimestampMs
  }
  /** Movies and episodes of Jellyfin and Plex servers. */
  media_server_item: {
    item_id: Generated<number>
    server_id: string
    /** Id of the item on its server. */
    remote_id: string
    /** `movie`, or `tv` for an episode. */
    kind: string
    name: string
    /** For an episode: id and name of its series on the server. */
    series_remote_id: string | null
    series_name: string | null
    year: number | null
    /** Season number on the media server. */
    season_number: number
    /** JSON array of episode numbers on the media server. */
    episodes: string
    /** External ids on the media server. For an episode, the external ids of its series. */
    imdb_id: string | null
    tmdb_id: number | null
    tvdb_id: number | null
    episode_imdb_id: string | null
    /** `matched` or `unmatched`. */
    state: string
    /** Why the item is not matched: a value of `UNMATCHED_ITEM_REASONS` (contract/admin-media-servers.ts). */
    reason: string | null
    title_id: number | null
    /** Season number in the catalogue. */
    title_season: number
    /** JSON array of episode numbers in the catalogue. */
    title_episodes: string
    added_at: TimestampMs
  }
  /** Last known state of a media server. */
  media_server_state: {
    server_id: string
    /** Time of the last successful request to the media server. */
    contacted_at: TimestampMs | null
    /** Time and kind of the last failed request; null after a successful request. */
    failed_at: TimestampMs | null
    failure: string | null
    /**
     * `listed_at` is the start time of the last listing, of all items or only of the changed items. `fully_listed_at`
     * is the start time of the last listing of all items.
     */
    listed_at: TimestampMs | null
    fully_listed_at: TimestampMs | null
  }
  /** Profiles that get a notice when a title becomes available. */
  availability_request: { profile_id: string; title_id: number; created_at: TimestampMs }
}
