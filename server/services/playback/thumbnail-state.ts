/** Describes whether the server can make more thumbnails of the seek bar, and how many files have thumbnails. */
import { countSeekThumbnails } from '../../queries/seek-thumbnails.ts'
import type { Deps } from '../deps.ts'
import { loadSettingValue } from '../operations/settings.ts'

const BYTES_PER_MEGABYTE = 1024 * 1024

/** `full`: the sheets have reached the size of the setting `thumbnails_disk_megabytes`. `off`: this setting is 0. */
type ThumbnailState = 'available' | 'off' | 'full' | 'no_ffmpeg'

/**
 * Returns the number of matched files, the number of files that the job has handled, the size of all sheets in bytes,
 * and whether the server can make more thumbnails.
 */
export async function describeThumbnailState(
  deps: Deps,
): Promise<{ state: ThumbnailState; files: number; handled: number; size: number }> {
  const { storedBytes, ...counts } = await countSeekThumbnails(deps.database.primary)
  return { state: await findThumbnailState(deps, storedBytes), ...counts, size: storedBytes }
}

async function findThumbnailState(deps: Deps, storedBytes: number): Promise<ThumbnailState> {
  const limitBytes = (await loadThumbnailMegabytes(deps)) * BYTES_PER_MEGABYTE
  if (limitBytes === 0) return 'off'
  if ((await deps.streamSources.ffmpeg.find()).status !== 'available') return 'no_ffmpeg'
  return storedBytes >= limitBytes ? 'full' : 'available'
}

const loadThumbnailMegabytes = (deps: Deps) =>
  loadSettingValue(deps.database.primary, 'thumbnails_disk_megabytes')
