/** Finds the thumbnail of the seek bar for a position, on the sheets that the server makes. */

/** The part of the stream contract that describes the thumbnail sheets. */
interface ThumbnailSheets {
  url: string
  interval_seconds: number
  count: number
  columns: number
  rows: number
}
interface Thumbnail {
  sheetUrl: string
  /** Position on the sheet, counted from 0. */
  column: number
  row: number
}

/** Returns the thumbnail that is nearest to a position; after the end of the video, the last thumbnail. */
export function findThumbnail(
  { url, interval_seconds, count, columns, rows }: ThumbnailSheets,
  positionSeconds: number,
): Thumbnail {
  const thumbnailIndex = Math.max(0, Math.min(count - 1, Math.round(positionSeconds / interval_seconds)))
  const indexOnSheet = thumbnailIndex % (columns * rows)
  return {
    sheetUrl: `${url}${Math.floor(thumbnailIndex / (columns * rows)) + 1}.jpg`,
    column: indexOnSheet % columns,
    row: Math.floor(indexOnSheet / columns),
  }
}
