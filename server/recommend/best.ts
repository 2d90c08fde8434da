/** Keeps the `limit` best of what is offered; equal scores fall to the smaller key, so the answer never depends on order. */
export function best(limit: number) {
  const keys = new Int32Array(limit)
  const scores = new Float64Array(limit)
  let size = 0
  const worse = (a: number, b: number): boolean =>
    scores[a]! < scores[b]! || (scores[a] === scores[b] && keys[a]! > keys[b]!)
  const swap = (a: number, b: number): void => {
    const key = keys[a]!
    const score = scores[a]!
    keys[a] = keys[b]!
    scores[a] = scores[b]!
    keys[b] = key
    scores[b] = score
  }
  const rise = (at: number): void => {
    for (let up = (at - 1) >> 1; at > 0 && worse(at, up); up = (at - 1) >> 1) {
      swap(at, up)
      at = up
    }
  }
  const sink = (): void => {
    let at = 0
    for (let down = 1; down < size; down = 2 * at + 1) {
      if (down + 1 < size && worse(down + 1, down)) down++
      if (!worse(down, at)) return
      swap(at, down)
      at = down
    }
  }
  return {
    /** Whether this one would be kept: ask before anything dear. */
    wants(key: number, score: number): boolean {
      if (size < limit) return limit > 0
      return score > scores[0]! || (score === scores[0] && key < keys[0]!)
    },
    /** Offer only what `wants` accepted. */
    keep(key: number, score: number): void {
      const at = size < limit ? size++ : 0
      keys[at] = key
      scores[at] = score
      if (size === limit && at === 0) sink()
      else rise(at)
    },
    get size(): number {
      return size
    },
    /** Best first. */
    sorted(): { key: number; score: number }[] {
      return Array.from({ length: size }, (_, at) => ({ key: keys[at]!, score: scores[at]! })).sort(
        (a, b) => b.score - a.score || a.key - b.key,
      )
    },
  }
}
