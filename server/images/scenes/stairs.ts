import { circle, group, n, path, poly, rect } from '../pen.ts'
import { linear, radial, type Scene, type Stage, sky } from '../stage.ts'

/** A flight of `count` steps going up from x y to the side of `sign`. */
function flight({ c, u }: Stage, x: number, y: number, up: { count: number; sign: number; width: number }) {
  const rise = 15 * u
  const run = rise * 1.3 * up.sign
  const dx = -up.sign * up.width * u
  const dy = up.width * 0.55 * u
  let out = ''
  for (let i = up.count - 1; i >= 0; i--) {
    const px = x + i * run
    const py = y - i * rise
    const front = up.sign < 0 ? c.mid : c.deep
    out += poly([px, py, px + run, py, px + run + dx, py + dy, px + dx, py + dy], c.glow)
    out += poly([px, py, px + dx, py + dy, px + dx, py + dy + rise, px, py + rise], front)
  }
  return out
}

/** Flights that cross, a red door, somebody on the way. */
function crossing(s: Stage): string {
  const { c, u, fx: x, fy: y } = s
  const person = circle(0, -31, 4.5, c.ink) + path('M-5-26H5L7-8H4L3 6H.6L0-8-.6 6H-3L-4-8H-7Z', c.ink)
  return (
    flight(s, x - 110 * u, y + 96 * u, { count: 10, sign: 1, width: 46 }) +
    rect(x + 39 * u, y - 76 * u, 27 * u, 52 * u, c.pop) +
    circle(x + 61 * u, y - 48 * u, 2 * u, c.glow) +
    flight(s, x + 118 * u, y + 50 * u, { count: 5, sign: -1, width: 40 }) +
    flight(s, x - 8 * u, y - 50 * u, { count: 6, sign: -1, width: 36 }) +
    group(`translate(${n(x - 26 * u)} ${n(y + 29 * u)}) scale(${n(0.8 * u)})`, person)
  )
}

/** A round stairwell seen from above, a light at its foot. */
function well(s: Stage): string {
  const { c, u } = s
  const at = (i: number) => [s.fx + i * 3 * u, s.fy + i * 3 * u] as const
  const turns = Array.from({ length: 9 }, (_, i) => {
    const r = (150 - i * 16.5) * u
    const steps = `stroke-width="${n(3.4 - i * 0.25)}" stroke-dasharray="${n(r * 0.09)} ${n(r * 0.035)}"`
    return circle(...at(i), r, [c.ink, c.deep, c.mid, c.deep][i % 4]!, `stroke="${c.glow}" ${steps}`)
  })
  const glow = radial(s, `0 ${c.pale} .7, 1 ${c.pale} 0`)
  return turns.join('') + circle(...at(8.7), 13 * u, c.pale) + circle(...at(8.7), 40 * u, glow)
}

/** Stairs without an end, seen at an angle or from above. */
export const stairs: Scene = (s) => {
  const { c, rnd, w, h } = s
  const round = rnd.chance(0.5)
  const ground = linear(s, `0 ${c.ink} 0, .35 ${c.ink} .95, 1 ${c.ink}`)
  return {
    art:
      sky(s, round ? c.ink : c.pale, round ? c.ink : c.glow) +
      (round ? well(s) : crossing(s)) +
      rect(0, h * 0.68, w, h * 0.33, ground),
    title: {
      box: [14, 222, 172, 66],
      face: rnd.pick(['geometric', 'didone', 'grotesk'] as const),
      colour: c.pale,
      caps: true,
      track: 0.08,
      small: c.glow,
      max: 48,
    },
  }
}
