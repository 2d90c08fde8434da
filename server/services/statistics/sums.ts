interface ViewingSum {
  viewings: number
  minutes: number
}

/** Numbers of viewings and their runtimes, by key. */
export class Sums<K extends string | number> {
  readonly #sums = new Map<K, { viewings: number; seconds: number }>()

  add(key: K, seconds: number | null): void {
    const sum = this.#sums.get(key) ?? { viewings: 0, seconds: 0 }
    sum.viewings += 1
    sum.seconds += seconds ?? 0
    this.#sums.set(key, sum)
  }

  get(key: K): ViewingSum {
    const { viewings, seconds } = this.#sums.get(key) ?? { viewings: 0, seconds: 0 }
    return { viewings, minutes: Math.round(seconds / 60) }
  }

  /** Returns the keys in ascending order. */
  keys(): K[] {
    return [...this.#sums.keys()].sort(compareKeys)
  }

  /** Returns the sums by ascending key. */
  entries(): [K, ViewingSum][] {
    return this.keys().map((key) => [key, this.get(key)])
  }

  /** Returns the sums with the most viewings first. */
  ranked(): [K, ViewingSum][] {
    return this.entries().sort(([, a], [, b]) => b.viewings - a.viewings || b.minutes - a.minutes)
  }
}

const compareKeys = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)
