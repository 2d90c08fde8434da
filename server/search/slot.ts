/**
 * A slot is the sort key and row number of a document in the index. A slot is one integer. Ascending slots are sorted
 * by kind, then by popularity, most popular first. The index is read in this order, so the first rows of a lookup are
 * the most popular documents. Layout: kind (2 bits), popularity band (8 bits), document id (38 bits), kids flag (1
 * bit). The value is a safe integer.
 */
import { type SearchKind, type SearchRange, searchKinds } from './types.ts'

const docIdCount = 2 ** 38
const slotsPerBand = docIdCount * 2
const slotsPerKind = slotsPerBand * 256

/**
 * Returns the slot of a document.
 * @throws RangeError when `docId` is not an integer from 0 to 2^38 - 1.
 */
export function computeSlot(kind: SearchKind, popularity: number, docId: number, isForKids: boolean): number {
  if (!Number.isInteger(docId) || docId < 0 || docId >= docIdCount) throw new RangeError(`doc_id ${docId}`)
  const popularityBand = Math.min(255, Math.max(0, Math.round(Math.log2(1 + Math.max(0, popularity)) * 12)))
  return (
    searchKinds.indexOf(kind) * slotsPerKind +
    (255 - popularityBand) * slotsPerBand +
    docId * 2 +
    (isForKids ? 1 : 0)
  )
}

/** Returns the popularity of the document of a slot, rounded to its popularity band. */
export function getPopularity(slot: number): number {
  const popularityBand = 255 - (Math.floor(slot / slotsPerBand) % 256)
  return 2 ** (popularityBand / 12) - 1
}

export const getSlotKind = (slot: number): SearchKind =>
  searchKinds[Math.floor(slot / slotsPerKind)] ?? 'movie'
/** Returns the document id of a slot. */
export const getDocId = (slot: number): number => Math.floor(getRemainder(slot, slotsPerBand) / 2)

export const isKidsSlot = (slot: number): boolean => getRemainder(slot, 2) === 1

/**
 * Returns `slot % divisor` for a divisor that is a power of two. The `%` operator takes many times as long
 * for numbers of this size, because it divides them bit by bit.
 */
const getRemainder = (slot: number, divisor: number) => slot - Math.floor(slot / divisor) * divisor

/** Returns the first and last slot of a kind, or of all kinds. */
export function getSlotRange({ kind }: SearchRange): [number, number] {
  if (kind === 'all') return [0, slotsPerKind * searchKinds.length - 1]
  const firstSlot = searchKinds.indexOf(kind) * slotsPerKind
  return [firstSlot, firstSlot + slotsPerKind - 1]
}

/** True when a slot has the kind of the range and, if the range is for kids only, its document is safe for kids. */
export function isInRange(slot: number, range: SearchRange): boolean {
  return (range.kind === 'all' || getSlotKind(slot) === range.kind) && (!range.isKidsOnly || isKidsSlot(slot))
}
