/**
 * Posting lists: the documents that contain a token, as ranks. The rank of a document is its position among all
 * documents of its kind, most popular first. A list of many ranks is a bitmap, so that lists are intersected 32
 * documents at a time.
 */

export type PostingList =
  /** Ascending ranks, without repetition. */
  | { ranks: Uint32Array; bitmap?: undefined }
  /** One bit per rank. */
  | { bitmap: Uint32Array; ranks?: undefined }

/** A list with more than this share of all documents takes less memory as a bitmap. */
const MAX_SPARSE_SHARE = 1 / 32
/**
 * If the number of ranks is at most this share of the number of 32-bit words in a bitmap, sorting the ranks takes less
 * time than reading the bitmap.
 */
const MAX_SORTED_SHARE = 1 / 64
/**
 * A list with more than this share of all documents is stored as a bitmap. A bitmap takes one bit per document, the
 * other format about one byte per rank.
 */
const MAX_STORED_SPARSE_SHARE = 1 / 8
/** Values of the first byte of a stored list: `sparse` for differences between ranks, `dense` for a bitmap. */
const FORMAT_CODES = { sparse: 0, dense: 1 }

export const EMPTY_POSTING_LIST: PostingList = { ranks: new Uint32Array() }
const countBitmapWords = (documentCount: number) => (documentCount + 31) >>> 5

export const getSizeBytes = ({ ranks, bitmap }: PostingList): number => (ranks ?? bitmap).byteLength

function addToBitmap(bitmap: Uint32Array, ranks: Uint32Array): void {
  for (let index = 0; index < ranks.length; index += 1) {
    const rank = ranks[index] as number
    bitmap[rank >>> 5] = (bitmap[rank >>> 5] as number) | (1 << (rank & 31))
  }
}

export const hasBit = (bitmap: Uint32Array, rank: number): boolean =>
  (((bitmap[rank >>> 5] as number) >>> (rank & 31)) & 1) === 1

export function setBit(bitmap: Uint32Array, rank: number): void {
  bitmap[rank >>> 5] = (bitmap[rank >>> 5] as number) | (1 << (rank & 31))
}

/**
 * Calls `visit` with each rank in ascending order until `visit` returns false. Ranks of `excludedBitmap` are left out.
 */
export function visitRanks(
  { ranks, bitmap }: PostingList,
  excludedBitmap: Uint32Array | null,
  visit: (rank: number) => boolean,
): void {
  if (ranks) {
    for (let index = 0; index < ranks.length; index += 1) {
      const rank = ranks[index] as number
      if (!(excludedBitmap && hasBit(excludedBitmap, rank)) && !visit(rank)) return
    }
    return
  }
  for (let wordIndex = 0; wordIndex < bitmap.length; wordIndex += 1) {
    let word = bitmap[wordIndex] as number
    if (excludedBitmap) word &= ~(excludedBitmap[wordIndex] as number)
    for (; word !== 0; word &= word - 1) if (!visit(wordIndex * 32 + 31 - Math.clz32(word & -word))) return
  }
}

/**
 * Returns the posting list of the given ranks. `ranks` may be in any order and may contain duplicates. `documentCount`
 * is the number of all documents.
 */
export function createPostingList(ranks: Uint32Array, documentCount: number): PostingList {
  if (ranks.length > documentCount * MAX_SPARSE_SHARE) {
    const bitmap = new Uint32Array(countBitmapWords(documentCount))
    addToBitmap(bitmap, ranks)
    return { bitmap }
  }
  if (ranks.length > countBitmapWords(documentCount) * MAX_SORTED_SHARE)
    return sortByBitmap([ranks], documentCount)
  const sortedRanks = ranks.slice().sort()
  let count = 0
  for (let index = 0; index < sortedRanks.length; index += 1) {
    if (index > 0 && sortedRanks[index] === sortedRanks[index - 1]) continue
    sortedRanks[count] = sortedRanks[index] as number
    count += 1
  }
  return { ranks: sortedRanks.subarray(0, count) }
}

/** A bitmap that every call of `sortByBitmap` uses. All its bits are 0 between two calls. */
let scratchBitmap = new Uint32Array()

/**
 * Returns the sorted list of all given ranks without duplicates. Sets the bits of the ranks in a bitmap and then reads
 * the bitmap, which takes less time than sorting thousands of ranks.
 */
function sortByBitmap(rankLists: readonly Uint32Array[], documentCount: number): PostingList {
  const wordCount = countBitmapWords(documentCount)
  if (scratchBitmap.length < wordCount) scratchBitmap = new Uint32Array(wordCount)
  for (const ranks of rankLists) addToBitmap(scratchBitmap, ranks)
  const sortedRanks = new Uint32Array(rankLists.reduce((sum, ranks) => sum + ranks.length, 0))
  let count = 0
  for (let wordIndex = 0; wordIndex < wordCount; wordIndex += 1) {
    let word = scratchBitmap[wordIndex] as number
    if (word === 0) continue
    scratchBitmap[wordIndex] = 0
    for (; word !== 0; word &= word - 1) {
      sortedRanks[count] = wordIndex * 32 + 31 - Math.clz32(word & -word)
      count += 1
    }
  }
  return { ranks: sortedRanks.subarray(0, count) }
}

/** Returns the ranks that are in all lists. */
export function intersectPostingLists(lists: readonly PostingList[]): PostingList {
  const sparseLists = lists.flatMap(({ ranks }) => ranks ?? []).sort((a, b) => a.length - b.length)
  const bitmaps = lists.flatMap(({ bitmap }) => bitmap ?? [])
  const [shortestRanks, ...otherLists] = sparseLists
  if (!shortestRanks) return { bitmap: intersectBitmaps(bitmaps) }
  let commonRanks = shortestRanks
  for (const otherList of otherLists) commonRanks = intersectSortedRanks(commonRanks, otherList)
  for (const bitmap of bitmaps) commonRanks = commonRanks.filter((rank) => hasBit(bitmap, rank))
  return { ranks: commonRanks }
}

function intersectBitmaps([
  firstBitmap = new Uint32Array(),
  ...otherBitmaps
]: readonly Uint32Array[]): Uint32Array {
  const commonBitmap = firstBitmap.slice()
  for (const bitmap of otherBitmaps)
    for (let index = 0; index < commonBitmap.length; index += 1)
      commonBitmap[index] = (commonBitmap[index] as number) & (bitmap[index] as number)
  return commonBitmap
}

function intersectSortedRanks(a: Uint32Array, b: Uint32Array): Uint32Array {
  const commonRanks = new Uint32Array(Math.min(a.length, b.length))
  let count = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const difference = (a[i] as number) - (b[j] as number)
    if (difference === 0) {
      commonRanks[count] = a[i] as number
      count += 1
    }
    if (difference <= 0) i += 1
    if (difference >= 0) j += 1
  }
  return commonRanks.subarray(0, count)
}

/** Returns the ranks that are in any of the lists. `documentCount` is the number of all documents. */
export function unitePostingLists(lists: readonly PostingList[], documentCount: number): PostingList {
  const [firstList, secondList] = lists
  if (!firstList) return EMPTY_POSTING_LIST
  if (!secondList) return firstList
  const rankCount = lists.reduce((sum, { ranks }) => sum + (ranks?.length ?? 0), 0)
  const bitmaps = lists.flatMap(({ bitmap }) => bitmap ?? [])
  if (bitmaps.length === 0 && rankCount <= documentCount * MAX_SPARSE_SHARE) {
    if (rankCount > countBitmapWords(documentCount) * MAX_SORTED_SHARE)
      return sortByBitmap(
        lists.flatMap((list) => list.ranks ?? []),
        documentCount,
      )
    const ranks = new Uint32Array(rankCount)
    let offset = 0
    for (const list of lists) {
      ranks.set(list.ranks ?? [], offset)
      offset += list.ranks?.length ?? 0
    }
    return createPostingList(ranks, documentCount)
  }
  const unitedBitmap = bitmaps[0]?.slice() ?? new Uint32Array(countBitmapWords(documentCount))
  for (const otherBitmap of bitmaps.slice(1))
    for (let index = 0; index < unitedBitmap.length; index += 1)
      unitedBitmap[index] = (unitedBitmap[index] as number) | (otherBitmap[index] as number)
  for (const { ranks } of lists) if (ranks) addToBitmap(unitedBitmap, ranks)
  return { bitmap: unitedBitmap }
}

/**
 * Returns the stored form of a list: a bitmap, or the differences between successive ranks. Each difference is a
 * varint: one or more bytes that hold seven bits each, the lowest bits first.
 */
export function encodePostingList(list: PostingList, documentCount: number): Uint8Array {
  const ranks: number[] = []
  visitRanks(list, null, (rank) => ranks.push(rank) > 0)
  if (ranks.length > documentCount * MAX_STORED_SPARSE_SHARE) {
    const { bitmap } = createPostingList(Uint32Array.from(ranks), documentCount)
    if (bitmap) {
      const bytes = new Uint8Array(bitmap.byteLength + 1)
      bytes[0] = FORMAT_CODES.dense
      bytes.set(new Uint8Array(bitmap.buffer, bitmap.byteOffset, bitmap.byteLength), 1)
      return bytes
    }
  }
  const bytes = new Uint8Array(1 + ranks.length * 5)
  bytes[0] = FORMAT_CODES.sparse
  let length = 1
  let previousRank = -1
  for (const rank of ranks) {
    let difference = rank - previousRank
    previousRank = rank
    for (; difference > 127; difference >>>= 7) {
      bytes[length] = (difference & 127) | 128
      length += 1
    }
    bytes[length] = difference
    length += 1
  }
  return bytes.slice(0, length)
}

/**
 * All calls of `decodePostingList` write into this array. A search decodes hundreds of lists, and would otherwise
 * allocate a temporary array for each list.
 */
let scratchRanks = new Uint32Array()

/** Converts the result of `encodePostingList` back to a posting list. */
export function decodePostingList(bytes: Uint8Array, documentCount: number): PostingList {
  if (bytes[0] === FORMAT_CODES.dense) return { bitmap: new Uint32Array(bytes.slice(1).buffer) }
  if (scratchRanks.length < bytes.length) scratchRanks = new Uint32Array(bytes.length)
  const ranks = scratchRanks
  let count = 0
  let rank = -1
  for (let index = 1; index < bytes.length; ) {
    let byte = bytes[index] as number
    let difference = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      index += 1
      byte = bytes[index] as number
      difference |= (byte & 127) << shift
    }
    index += 1
    rank += difference
    ranks[count] = rank
    count += 1
  }
  if (count > documentCount * MAX_SPARSE_SHARE)
    return createPostingList(ranks.subarray(0, count), documentCount)
  return { ranks: ranks.slice(0, count) }
}
