/** In a hidden window there are no frames. */
const PATIENCE_MS = 60

/** After the next frame is drawn: what answers a press shows before the work begins that it asked for. */
export function painted(): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, PATIENCE_MS)
    requestAnimationFrame(() => setTimeout(done))
  })
}
