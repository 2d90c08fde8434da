/** The information that the probe of each file format returns, and the function with which it reads the file. */
import type { Chapter } from './playback-marks.ts'

export interface VideoHeader {
  /** Width and height of the picture in pixels. */
  width: number
  height: number
  durationSeconds: number | null
  chapters: Chapter[]
}
/** Reads `lengthBytes` bytes; fewer at the end of the file. */
export type ReadAt = (startOffset: number, lengthBytes: number) => Promise<Buffer>
