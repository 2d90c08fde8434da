import type { SearchCandidate } from './types.ts'

/** Maximum number of candidates in each of the two parts of the cache. */
const MAX_CANDIDATES_PER_PART = 4_000

/**
 * Cache of recent candidates. Each typed letter starts a search that loads mostly the same candidates as the previous
 * search. A candidate takes about a kilobyte with its parsed names, so the cache holds only the candidates of the
 * latest searches: when its newer part is full, that part becomes the older part, and the former older part is dropped.
 */
export class CandidateCache {
  #state = ''
  #newerPart = new Map<number, SearchCandidate>()
  #olderPart = new Map<number, SearchCandidate>()

  /** Empties the cache if the state of the index has changed. */
  clearIfStateChanged(state: string): void {
    if (state === this.#state) return
    this.#state = state
    this.#newerPart = new Map()
    this.#olderPart = new Map()
  }

  get(slot: number): SearchCandidate | undefined {
    const newerCandidate = this.#newerPart.get(slot)
    if (newerCandidate) return newerCandidate
    const olderCandidate = this.#olderPart.get(slot)
    if (olderCandidate) this.add(olderCandidate)
    return olderCandidate
  }

  add(candidate: SearchCandidate): void {
    if (this.#newerPart.size >= MAX_CANDIDATES_PER_PART) {
      this.#olderPart = this.#newerPart
      this.#newerPart = new Map()
    }
    this.#newerPart.set(candidate.slot, candidate)
  }
}
