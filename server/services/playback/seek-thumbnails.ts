/**
 * Finds the thumbnails of the seek bar. The thumbnails are small pictures on sheets in `DATA_DIR/thumbnails`,
 * with one folder per file of the media folder. A background job makes the sheets (seek-thumbnails-job.ts).
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { StreamInfo } from '../../../src/lib/contract/playback.ts'
import {
  SHEET_COLUMNS,
  SHEET_ROWS,
  THUMBNAIL_HEIGHT_PIXELS,
  THUMBNAIL_WIDTH_PIXELS,
} from '../../providers/ffmpeg/make-thumbnails.ts'
import type { LibraryVideo } from '../../providers/library/library.ts'
import { type SeekThumbnailsRow, selectThumbnailsOfFiles } from '../../queries/seek-thumbnails.ts'
import type { Deps } from '../deps.ts'
import type { StreamLookup } from './stream-lookup.ts'

/**
 * Returns the name of the folder for the current content of a file. The name is a hash, so that it does not
 * reveal the path.
 */
export const createThumbnailFolderName = ({
  path,
  size_bytes,
  modified_at,
}: Pick<SeekThumbnailsRow, 'path' | 'size_bytes' | 'modified_at'>) =>
  createHash('sha256').update(`${path}\n${size_bytes}\n${modified_at}`).digest('hex').slice(0, 32)

export const getThumbnailRoot = ({ config }: Pick<Deps, 'config'>) => join(config.dataDir, 'thumbnails')

/**
 * Returns the path of a sheet; the file may be missing. Returns null when the names are not the names of a sheet.
 */
export function getThumbnailSheetPath(deps: Deps, folder: string, fileName: string): string | null {
  const isSheetPath = /^[\da-f]{32}$/.test(folder) && /^[1-9]\d{0,3}\.jpg$/.test(fileName)
  return isSheetPath ? join(getThumbnailRoot(deps), folder, fileName) : null
}

/**
 * Returns the thumbnails of the first file that has thumbnails. All files of a title are assumed to have the
 * same scenes at the same times.
 */
export async function describeSeekThumbnails(
  { deps, signFolderUrl }: StreamLookup,
  videos: readonly LibraryVideo[],
): Promise<Pick<StreamInfo, 'thumbnails'>> {
  const rows = await selectThumbnailsOfFiles(
    deps.database.reader,
    videos.map(({ path }) => path),
  )
  for (const { path, sizeBytes } of videos) {
    const row = rows.find(
      (candidate) => candidate.path === path && Number(candidate.size_bytes) === sizeBytes,
    )
    if (!row) continue
    return {
      thumbnails: {
        url: signFolderUrl({ source: 'thumbnails', name: row.folder }),
        interval_seconds: row.interval_seconds,
        count: row.frame_count,
        columns: SHEET_COLUMNS,
        rows: SHEET_ROWS,
        width: THUMBNAIL_WIDTH_PIXELS,
        height: THUMBNAIL_HEIGHT_PIXELS,
      },
    }
  }
  return {}
}
