/**
 * A document's place in the index: one integer whose ascending order is kind, then popularity, most popular first.
 * The index is read in that order, so the first rows of any match are the ones a viewer most likely means.
 * Layout: kind (2 bits), popularity band (8), document (38), kids (1). Fits a JavaScript number. Pure.
 */
import { type Kind, kinds, type Range } from './types.ts'

const docs = 2 ** 38
const band = docs * 2
const kindSpan = band * 256

/** @throws RangeError when the document number does not fit. */
export function slotOf(kind: Kind, popularity: number, docId: number, kids: boolean): number {
  if (!Number.isInteger(docId) || docId < 0 || docId >= docs) throw new RangeError(`doc_id ${docId}`)
  const level = Math.min(255, Math.max(0, Math.round(Math.log2(1 + Math.max(0, popularity)) * 12)))
  return kinds.indexOf(kind) * kindSpan + (255 - level) * band + docId * 2 + (kids ? 1 : 0)
}

export const kindOf = (slot: number): Kind => kinds[Math.floor(slot / kindSpan)] ?? 'movie'
export const isKids = (slot: number): boolean => slot % 2 === 1

/** First and last slot of a kind, or of all. */
export function slotRange({ kind }: Range): [number, number] {
  if (kind === 'all') return [0, kindSpan * kinds.length - 1]
  const first = kinds.indexOf(kind) * kindSpan
  return [first, first + kindSpan - 1]
}

/** Whether a slot may be shown in this range. */
export function inRange(slot: number, range: Range): boolean {
  return (range.kind === 'all' || kindOf(slot) === range.kind) && (!range.kids || isKids(slot))
}
