/**
 * Sums the votes of the titles of each person while all titles are read. Summing during this pass is faster than
 * reading the titles of each person separately.
 */

export interface PersonTotal {
  /** Total number of votes of the visible titles in which the person has a credit. */
  votes: number
  /** True if at least one visible title in which the person has a credit is safe for kids. */
  isSafeForKids: boolean
}

interface CreditedTitle {
  title_id: number
  rating_votes: number
  safe_for_kids: number
}

/** The totals by person id, in arrays that need 17 bytes for each id up to the highest. */
export class PersonTotals {
  #votes = new Float64Array(1_024)
  /**
   * Id of the title that was added last for each person; 0 if none. It prevents counting a title twice for a
   * person with several credits.
   */
  #lastTitleId = new Float64Array(1_024)
  #isSafeForKids = new Uint8Array(1_024)

  /**
   * Adds a visible title to the total of a person. All credits of a title must be added before the next
   * title.
   */
  add(personId: number, title: CreditedTitle): void {
    if (personId >= this.#votes.length) this.#grow(personId)
    if (this.#lastTitleId[personId] === title.title_id) return
    this.#lastTitleId[personId] = title.title_id
    this.#votes[personId] = (this.#votes[personId] ?? 0) + title.rating_votes
    if (title.safe_for_kids === 1) this.#isSafeForKids[personId] = 1
  }

  /** Returns the total of a person; undefined for a person without a visible title. */
  getTotal(personId: number): PersonTotal | undefined {
    if (!this.#lastTitleId[personId]) return undefined
    return { votes: this.#votes[personId] ?? 0, isSafeForKids: this.#isSafeForKids[personId] === 1 }
  }

  #grow(personId: number): void {
    const newLength = Math.max(personId + 1, this.#votes.length * 2)
    this.#votes = copyTo(new Float64Array(newLength), this.#votes)
    this.#lastTitleId = copyTo(new Float64Array(newLength), this.#lastTitleId)
    this.#isSafeForKids = copyTo(new Uint8Array(newLength), this.#isSafeForKids)
  }
}

function copyTo<T extends Float64Array | Uint8Array>(target: T, source: T): T {
  target.set(source)
  return target
}
