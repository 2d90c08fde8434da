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
  seconds: number,
): Thumbnail {
  const index = Math.max(0, Math.min(count - 1, Math.round(seconds / interval_seconds)))
  const indexOnSheet = index % (columns * rows)
  return {
    sheetUrl: `${url}${Math.floor(index / (columns * rows)) + 1}.jpg`,
    column: indexOnSheet % columns,
    row: Math.floor(indexOnSheet / columns),
  }
}
