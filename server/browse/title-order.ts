/**
 * The order of the titles of a browse index by their names in one language. The columns of the index do not contain
 * these names. The rows of new and changed titles are moved rows: they are in a short separate list until
 * `mergeMovedRows` merges them into the base order.
 */
import { type BrowseColumns, ROW_PRESENT_FLAG } from './columns.ts'
import { type SortOrder, walkSortedRows } from './order.ts'

/** A title and the name by which it is sorted: its name without a leading article. */
export interface SortName {
  title_id: number
  name: string
}

/**
 * Place of a new or changed title: its name, and the gap of the base order that it belongs to. Gap number n is directly
 * before the row at position n.
 */
export interface TitlePlace {
  gap: number
  name: string
}

/** Number of names that are sorted before other tasks can run. Sorting them takes about 20 ms. */
const NAMES_PER_CHUNK = 8_192
/** `mergeMovedRows` merges the moved rows into the order when there are more than this number. */
const MAX_MOVED_ROWS = 512

/**
 * Returns a function that compares titles by their names in a language. The language `original` stands for original
 * titles. They are in several languages, and are compared by the rules of English.
 */
const createComparison = (language: string) => {
  const { compare } = new Intl.Collator(Intl.Collator.supportedLocalesOf(language)[0] ?? 'en')
  return (a: SortName, b: SortName) => compare(a.name, b.name) || a.title_id - b.title_id
}

/**
 * Sorts titles by their names in a language and returns their ids. Sorts chunks and then merges them, and awaits
 * `pause` between steps, so that other tasks can run.
 */
export async function sortByName(
  sortNames: readonly SortName[],
  language: string,
  pause: () => Promise<void>,
): Promise<Uint32Array> {
  const compareNames = createComparison(language)
  let runs: SortName[][] = []
  for (let startIndex = 0; startIndex < sortNames.length; startIndex += NAMES_PER_CHUNK) {
    runs.push(sortNames.slice(startIndex, startIndex + NAMES_PER_CHUNK).sort(compareNames))
    await pause()
  }
  while (runs.length > 1) {
    const mergedRuns: SortName[][] = []
    for (let runIndex = 0; runIndex < runs.length; runIndex += 2)
      mergedRuns.push(await mergeRuns([runs[runIndex] ?? [], runs[runIndex + 1] ?? []], compareNames, pause))
    runs = mergedRuns
  }
  return Uint32Array.from(runs[0] ?? [], ({ title_id }) => title_id)
}

async function mergeRuns(
  [firstRun, secondRun]: readonly [readonly SortName[], readonly SortName[]],
  compareNames: (a: SortName, b: SortName) => number,
  pause: () => Promise<void>,
): Promise<SortName[]> {
  const mergedRun: SortName[] = []
  for (let [firstIndex, secondIndex] = [0, 0]; ; ) {
    const [first, second] = [firstRun[firstIndex], secondRun[secondIndex]]
    if (!first && !second) return mergedRun
    if (first && (!second || compareNames(first, second) <= 0)) {
      mergedRun.push(first)
      firstIndex += 1
    } else if (second) {
      mergedRun.push(second)
      secondIndex += 1
    }
    if (mergedRun.length % NAMES_PER_CHUNK === 0) await pause()
  }
}

export class TitleOrder {
  readonly #columns: BrowseColumns
  readonly #compareNames: (a: SortName, b: SortName) => number
  /** Rows in the base order. */
  #rows = new Uint32Array()
  /** Position of each row in `#rows`. */
  #positions = new Uint32Array()
  readonly #movedRows = new Map<number, TitlePlace>()
  /** Sort keys of the moved rows, in order; null when a change of the moved rows has made them outdated. */
  #sortKeysByMovedRow: Map<number, number> | null = null

  /**
   * `sortedIds` are the ids of the titles in order. Titles that are missing in `sortedIds` come last until they are
   * moved.
   */
  constructor(columns: BrowseColumns, language: string, sortedIds: Uint32Array) {
    this.#columns = columns
    this.#compareNames = createComparison(language)
    const isListed = new Uint8Array(columns.rowCount)
    const rows = new Uint32Array(columns.rowCount)
    let listedCount = 0
    for (const titleId of sortedIds) {
      const row = columns.findRow(titleId)
      if (row === undefined) continue
      rows[listedCount++] = row
      isListed[row] = 1
    }
    for (let row = 0; row < columns.rowCount; row++) if (!isListed[row]) rows[listedCount++] = row
    this.#setRows(rows)
  }

  /**
   * Returns the places of new or changed titles, by title id. `sortNames` contains the current names of these titles,
   * and `loadNames` loads the names of other titles. Runs the binary searches of all places at the same time. An order
   * of a million titles therefore needs about twenty calls of `loadNames`, however many places are searched.
   */
  async findPlaces(
    sortNames: readonly SortName[],
    loadNames: (titleIds: number[]) => Promise<SortName[]>,
  ): Promise<Map<number, TitlePlace>> {
    const movingIds = new Set(sortNames.map(({ title_id }) => title_id))
    const searches = sortNames.map((sortName) => ({ sortName, low: 0, high: this.#rows.length }))
    for (;;) {
      const steps = searches.flatMap((search) => {
        const { low, high } = search
        if (low >= high) return []
        const middle = (low + high) >>> 1
        const position = this.#findUnmovedPosition(low, middle, movingIds)
        if (position === null) search.low = middle + 1
        return [{ search, position, titleId: position === null ? null : this.#getTitleId(position) }]
      })
      if (steps.length === 0) break
      const titleIds = [...new Set(steps.flatMap(({ titleId }) => titleId ?? []))]
      const namesById = new Map(
        (titleIds.length > 0 ? await loadNames(titleIds) : []).map((sortName) => [
          sortName.title_id,
          sortName,
        ]),
      )
      for (const { search, position, titleId } of steps) {
        if (position === null || titleId === null) continue
        const comparedName = namesById.get(titleId)
        // If the compared name is missing, its title was just deleted, and the comparison no longer matters.
        if (comparedName && this.#compareNames(search.sortName, comparedName) < 0) search.high = position
        else search.low = position + 1
      }
    }
    return new Map(searches.map(({ sortName: { title_id, name }, low }) => [title_id, { gap: low, name }]))
  }

  /** Moves a row to a place. */
  move(row: number, place: TitlePlace): void {
    this.#movedRows.set(row, place)
    this.#sortKeysByMovedRow = null
  }

  /** Merges the moved rows into the base order if there are more than MAX_MOVED_ROWS. */
  mergeMovedRows(): void {
    if (this.#movedRows.size <= MAX_MOVED_ROWS) return
    const rows = new Uint32Array(this.#columns.rowCount)
    let rowCount = 0
    walkSortedRows(this.#columns, this.getSortOrder(false), (row) => {
      rows[rowCount++] = row
      return false
    })
    this.#movedRows.clear()
    this.#sortKeysByMovedRow = null
    this.#setRows(rows)
  }

  getSortOrder(isDescending: boolean): SortOrder {
    const sortKeysByMovedRow = this.#getSortKeysByMovedRow()
    const sign = isDescending ? -1 : 1
    const movedRows = [...sortKeysByMovedRow.keys()]
    return {
      getSortKey: (_, row) => sign * (sortKeysByMovedRow.get(row) ?? (this.#positions[row] as number)),
      sortedRows: this.#rows,
      isReversed: isDescending,
      movedRowList: {
        rows: isDescending ? movedRows.reverse() : movedRows,
        isMoved: (row) => sortKeysByMovedRow.has(row),
      },
      hasUniqueKeys: true,
    }
  }

  /**
   * Returns the moved rows in order with their sort keys. The keys of rows in the same gap are different fractions
   * between the positions of the base rows around the gap.
   */
  #getSortKeysByMovedRow(): Map<number, number> {
    if (this.#sortKeysByMovedRow) return this.#sortKeysByMovedRow
    const movedTitles = [...this.#movedRows]
      .map(([row, { gap, name }]) => ({
        row,
        gap: this.#findFirstGap(gap),
        sortName: { title_id: this.#columns.ids[row] as number, name },
      }))
      .sort((a, b) => a.gap - b.gap || this.#compareNames(a.sortName, b.sortName))
    this.#sortKeysByMovedRow = new Map(
      movedTitles.map(({ row, gap }, index) => [row, gap - 1 + (index + 1) / (movedTitles.length + 1)]),
    )
    return this.#sortKeysByMovedRow
  }

  /**
   * Returns the last position from `low` to `high` whose title was neither moved nor removed and is not one of
   * `movingIds`. Returns null if there is none.
   */
  #findUnmovedPosition(low: number, high: number, movingIds: ReadonlySet<number>): number | null {
    for (let position = high; position >= low; position--)
      if (this.#isInPlace(position) && !movingIds.has(this.#getTitleId(position))) return position
    return null
  }

  /**
   * Returns the first gap that is equivalent to `gap`. Two gaps are equivalent if all rows between them were moved or
   * removed. Titles in equivalent gaps are compared by name.
   */
  #findFirstGap(gap: number): number {
    let firstGap = gap
    while (firstGap > 0 && !this.#isInPlace(firstGap - 1)) firstGap -= 1
    return firstGap
  }

  #isInPlace(position: number): boolean {
    const row = this.#rows[position] as number
    return ((this.#columns.flags[row] as number) & ROW_PRESENT_FLAG) !== 0 && !this.#movedRows.has(row)
  }

  #getTitleId = (position: number) => this.#columns.ids[this.#rows[position] as number] as number

  #setRows(rows: Uint32Array<ArrayBuffer>): void {
    this.#rows = rows
    this.#positions = new Uint32Array(rows.length)
    for (let position = 0; position < rows.length; position++)
      this.#positions[rows[position] as number] = position
  }
}
