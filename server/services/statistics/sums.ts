interface ViewingSum {
  viewings: number
  minutes: number
}

/** Counts the viewings of each key and sums their runtimes. */
export class ViewingSums<K extends string | number> {
  readonly #sums = new Map<K, { viewings: number; seconds: number }>()

  add(key: K, seconds: number, viewingCount = 1): void {
    const sum = this.#sums.get(key)
    if (sum) {
      sum.viewings += viewingCount
      sum.seconds += seconds
    } else this.#sums.set(key, { viewings: viewingCount, seconds })
  }

  /** Returns the sum of a key in seconds. `get` returns rounded minutes instead. */
  getSumInSeconds(key: K): { viewings: number; seconds: number } {
    return this.#sums.get(key) ?? { viewings: 0, seconds: 0 }
  }

  get(key: K): ViewingSum {
    const { viewings: viewingCount, seconds } = this.getSumInSeconds(key)
    return { viewings: viewingCount, minutes: Math.round(seconds / 60) }
  }

  /** Returns the keys in ascending order. */
  keys(): K[] {
    return [...this.#sums.keys()].sort(compareKeys)
  }

  /** Returns the sums in ascending order of their keys. */
  listSortedByKey(): [K, ViewingSum][] {
    return this.keys().map((key) => [key, this.get(key)])
  }

  /** Returns the sums in descending order of their minutes or, for equal minutes, of their viewings. */
  listSortedByMinutes(): [K, ViewingSum][] {
    return this.listSortedByKey().sort(([, a], [, b]) => b.minutes - a.minutes || b.viewings - a.viewings)
  }
}

const compareKeys = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)
