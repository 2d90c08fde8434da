/** Sums the votes of people while all titles are read, which is faster than reading the titles of each person. */

export interface PersonTotal {
  /** Votes of the visible titles that the person has a credit in. */
  votes: number
  /** True if any of these titles is safe for kids. */
  isSafe: boolean
}

interface CreditedTitle {
  title_id: number
  rating_votes: number
  safe_for_kids: number
}

/** Takes 17 bytes per person id. */
export class PersonTotals {
  #votes = new Float64Array(1_024)
  /** The title that was added last, because a person may have several credits in it. 0 means none. */
  #lastTitleId = new Float64Array(1_024)
  #isSafe = new Uint8Array(1_024)

  /** Adds a visible title to a person. All credits of a title must be added in succession. */
  add(personId: number, title: CreditedTitle): void {
    if (personId >= this.#votes.length) this.#grow(personId)
    if (this.#lastTitleId[personId] === title.title_id) return
    this.#lastTitleId[personId] = title.title_id
    this.#votes[personId] = (this.#votes[personId] ?? 0) + title.rating_votes
    if (title.safe_for_kids === 1) this.#isSafe[personId] = 1
  }

  /** Returns undefined for a person without a visible title. */
  getTotal(personId: number): PersonTotal | undefined {
    if (!this.#lastTitleId[personId]) return undefined
    return { votes: this.#votes[personId] ?? 0, isSafe: this.#isSafe[personId] === 1 }
  }

  #grow(personId: number): void {
    const length = Math.max(personId + 1, this.#votes.length * 2)
    this.#votes = copyTo(new Float64Array(length), this.#votes)
    this.#lastTitleId = copyTo(new Float64Array(length), this.#lastTitleId)
    this.#isSafe = copyTo(new Uint8Array(length), this.#isSafe)
  }
}

function copyTo<T extends Float64Array | Uint8Array>(target: T, source: T): T {
  target.set(source)
  return target
}
