/**
 * Finds the files of a title in the operator's media folder. The table `library_file` contains the title of
 * each file.
 */
import { setTimeout } from 'node:timers/promises'
import { Problem } from '../../core/problem.ts'
import { isInFolder } from '../../providers/library/folder-tree.ts'
import type { Library, LibraryVideo } from '../../providers/library/library.ts'
import { PLAYLIST_TYPE } from '../../providers/library/media-types.ts'
import type { SubtitleFile } from '../../providers/library/subtitle-files.ts'
import { type LibraryFileRow, selectFilesOfTitle } from '../../queries/library-file.ts'
import type { TitleRow } from '../../queries/title.ts'
import type { Deps } from '../deps.ts'
import { getLibrarySync } from '../library/library-sync.ts'
import { examineFileIfReadable } from './media-information.ts'

export interface LibraryMatch {
  videos: LibraryVideo[]
  subtitles: SubtitleFile[]
  /** Numbers of the episodes that are contained in every one of the videos; empty for a movie. */
  episodes: number[]
}

/** Minimum duration of a version of a movie, as a ratio of the duration of the longest version. */
const MIN_VERSION_DURATION_RATIO = 1 / 3
/** Maximum time that a lookup waits for the first scan of the folder after process start. */
const MAX_SCAN_WAIT_MS = 5_000

const FOLDER_RETRY_SECONDS = 5

/**
 * Returns the files and subtitles of a title; null when the title has no file. `episodeKey` is `season:episode`, or
 * `0:0` for a movie. Throws 503 when none of the stored files is found and the folder of at least one file cannot be
 * read now, for example while a network share does not respond.
 */
export async function findLibraryMatch(
  deps: Deps,
  title: TitleRow,
  episodeKey: string,
): Promise<LibraryMatch | null> {
  const { library } = deps.streamSources
  if (!library) return null
  const files = await findVideoFiles(deps, title, episodeKey)
  const allVideos = await describeVideoFiles(library, files)
  const videos = title.type === 'movie' ? await removeShortVideos(deps, allVideos) : allVideos
  if (videos.length === 0) {
    const unreadableFolders = files.length > 0 ? await library.findUnreadableFolders() : []
    if (files.some(({ path }) => unreadableFolders.some((folder) => isInFolder(path, folder))))
      throw new Problem('overloaded', {
        retryAfterSeconds: FOLDER_RETRY_SECONDS,
        cause: new Error('The media folder, or a part of it, cannot be read.'),
      })
    return null
  }
  const subtitlesByPath = new Map<string, SubtitleFile>()
  for (const { path } of videos)
    for (const subtitle of await library.listSubtitles(path)) subtitlesByPath.set(subtitle.path, subtitle)
  const usedFiles = files.filter(({ path }) => videos.some((video) => video.path === path))
  const episodes = findCommonEpisodes(usedFiles.map((file) => JSON.parse(file.episodes) as number[]))
  return { videos, subtitles: [...subtitlesByPath.values()], episodes }
}

/** Returns the episode numbers that all lists contain. */
export const findCommonEpisodes = ([firstEpisodes = [], ...otherLists]: number[][]): number[] =>
  firstEpisodes.filter((episode) => otherLists.every((episodes) => episodes.includes(episode)))

/**
 * Removes videos that are much shorter than the longest video: bonus material and incomplete downloads in the folder of
 * a movie. Keeps videos of unknown duration.
 */
async function removeShortVideos(deps: Deps, videos: LibraryVideo[]): Promise<LibraryVideo[]> {
  if (videos.length < 2) return videos
  const durationsSeconds = await Promise.all(
    videos.map(async ({ path, type }) => {
      const examinedFile = type === PLAYLIST_TYPE ? null : await examineFileIfReadable(deps, path)
      return examinedFile?.information?.durationSeconds ?? null
    }),
  )
  const longestDurationSeconds = Math.max(...durationsSeconds.map((durationSeconds) => durationSeconds ?? 0))
  return videos.filter(
    (_, index) =>
      (durationsSeconds[index] ?? longestDurationSeconds) >=
      longestDurationSeconds * MIN_VERSION_DURATION_RATIO,
  )
}

/**
 * Returns the files of a movie or an episode. Waits up to MAX_SCAN_WAIT_MS for the first scan of the folder, because
 * files may be unknown before the scan has ended.
 */
async function findVideoFiles(deps: Deps, title: TitleRow, episodeKey: string): Promise<LibraryFileRow[]> {
  const selectEpisodeFiles = async () =>
    (await selectFilesOfTitle(deps.database.reader, title.title_id)).filter((file) =>
      hasEpisodeKey(file, title.type, episodeKey),
    )
  const knownFiles = await selectEpisodeFiles()
  const scanPromise = getLibrarySync(deps)?.waitForFirstSync()
  if (knownFiles.length > 0 && deps.streamSources.library?.listFiles()) return knownFiles
  await Promise.race([scanPromise, setTimeout(MAX_SCAN_WAIT_MS, undefined, { ref: false })])
  return selectEpisodeFiles()
}

function hasEpisodeKey(
  { episodes, season_number }: LibraryFileRow,
  type: string,
  episodeKey: string,
): boolean {
  if (type === 'movie') return episodeKey === '0:0'
  const episodeNumbers = JSON.parse(episodes) as number[]
  return episodeNumbers.some((episodeNumber) => `${season_number}:${episodeNumber}` === episodeKey)
}

async function describeVideoFiles(
  library: Library,
  files: readonly LibraryFileRow[],
): Promise<LibraryVideo[]> {
  const videos = await Promise.all(files.map(({ path }) => library.describeVideo(path)))
  return videos.filter((video) => video !== null)
}
