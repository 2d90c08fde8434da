/** Rows looked at before other work is let in: some milliseconds. */
const STRIDE = 50_000

/** Work over `count` rows, a stretch at a time (`to` not included), with `pause` after each. */
export async function strides(
  count: number,
  pause: () => Promise<void>,
  work: (from: number, to: number) => void,
): Promise<void> {
  for (let from = 0; from < count; from += STRIDE) {
    work(from, Math.min(count, from + STRIDE))
    await pause()
  }
}
