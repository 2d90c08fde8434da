/** Reads a SeekHead of Matroska (RFC 9559), which states where other elements of the segment are. */
import { type EbmlElement, type EbmlSource, readChildElements, readUnsignedInteger } from './ebml.ts'

export const SEEK_HEAD_ELEMENT = 0x114d9b74
const SEEK_ELEMENT = 0x4dbb
const SEEK_ID_ELEMENT = 0x53ab
const SEEK_POSITION_ELEMENT = 0x53ac

export interface SeekEntry {
  elementId: number
  /** Number of bytes from the start of the content of the segment to the element. */
  offset: number
}

/** Returns the entries of a SeekHead in the order of the file, without incomplete entries. */
export async function readSeekHead(source: EbmlSource, seekHead: EbmlElement): Promise<SeekEntry[]> {
  const seekEntries: SeekEntry[] = []
  for await (const seekElement of readChildElements(source, seekHead)) {
    if (seekElement.id !== SEEK_ELEMENT) continue
    let elementId: number | undefined
    let offset: number | undefined
    for await (const seekChild of readChildElements(source, seekElement)) {
      if (seekChild.id === SEEK_ID_ELEMENT) elementId = await readUnsignedInteger(source, seekChild)
      if (seekChild.id === SEEK_POSITION_ELEMENT) offset = await readUnsignedInteger(source, seekChild)
    }
    if (elementId !== undefined && offset !== undefined) seekEntries.push({ elementId, offset })
  }
  return seekEntries
}
