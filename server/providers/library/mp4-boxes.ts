/** Reads the boxes of an MP4 or QuickTime file (ISO/IEC 14496-12), each with a type and a size. */
import type { ReadAt } from './video-header.ts'

const HEADER_BYTES = 16

export interface Mp4Box {
  type: string
  /** Byte offsets of the content in the file. */
  startOffset: number
  endOffset: number
}

/**
 * Yields the boxes between two byte offsets. `budget.remainingBoxes` limits the number of boxes that may still be read.
 */
export async function* readMp4Boxes(
  readAt: ReadAt,
  startOffset: number,
  endOffset: number,
  budget: { remainingBoxes: number },
): AsyncGenerator<Mp4Box> {
  for (let offset = startOffset; offset + 8 <= endOffset; ) {
    budget.remainingBoxes -= 1
    if (budget.remainingBoxes < 0) return
    const header = await readAt(offset, HEADER_BYTES)
    if (header.length < 8) return
    const boxSizeField = header.readUInt32BE(0)
    if (boxSizeField === 1 && header.length < 16) return
    const boxLengthBytes =
      boxSizeField === 1
        ? Number(header.readBigUInt64BE(8))
        : boxSizeField === 0
          ? endOffset - offset
          : boxSizeField
    const headerBytes = boxSizeField === 1 ? 16 : 8
    if (boxLengthBytes < headerBytes) return
    yield {
      type: header.toString('latin1', 4, 8),
      startOffset: offset + headerBytes,
      endOffset: Math.min(offset + boxLengthBytes, endOffset),
    }
    offset += boxLengthBytes
  }
}
