import { circle, ellipse, group, line, n, path, points, poly, rect } from '../pen.ts'
import { fill, linear, radial, type Scene, scrim } from '../stage.ts'

/** An open door in a dark wall; its light falls on somebody. */
export const doorway: Scene = (s) => {
  const { c, rnd, h, u } = s
  const x = s.fx + (s.wide ? 20 : rnd.num(-30, 30))
  const half = 21 * u
  const top = h * (s.wide ? 0.16 : 0.2)
  const foot = h * (s.wide ? 0.68 : 0.62)
  const lean = s.wide ? -90 : rnd.pick([-46, 46])
  const m = 1.15 * u
  const person =
    circle(0, -33, 4.4, c.ink) + path('M-5-28Q0-31 5-28L7-12H4.5L4 0H.8L0-12-.8 0H-4L-4.5-12H-7Z', c.ink)
  const at = (t: number) => `translate(${n(x + lean * t)} ${n(foot + (h - foot) * t * 0.7)}) scale(${n(m)})`
  const shadow = group(`${at(0.12)} skewX(${lean < 0 ? 32 : -32}) scale(1 -2.2)`, person, 'opacity=".55"')
  return {
    art:
      fill(s, linear(s, `0 ${c.ink}, .62 ${c.deep}, .63 ${c.ink}, 1 ${c.ink}`)) +
      ellipse(x, (top + foot) / 2, half * 5, (foot - top) * 0.8, radial(s, `0 ${c.pop} .5, 1 ${c.pop} 0`)) +
      rect(x - half, top, half * 2, foot - top, linear(s, `0 ${c.pale}, 1 ${c.glow}`)) +
      poly(
        [x - half, foot, x + half, foot, x + half * 2.6 + lean, h, x - half * 2.6 + lean, h],
        linear(s, `0 ${c.glow} .95, 1 ${c.pop} .1`),
      ) +
      poly(
        [x + half, top, x + half + 15 * u, top - 9 * u, x + half + 15 * u, foot + 10 * u, x + half, foot],
        c.mid,
      ) +
      shadow +
      group(at(0.12), person),
    title: {
      box: [16, 222, 168, 66],
      face: rnd.pick(['geometric', 'didone', 'condensed'] as const),
      colour: c.pale,
      caps: true,
      track: 0.06,
      small: c.glow,
      max: 48,
    },
  }
}

/** A window at night with somebody in it, among dark ones. */
export const windows: Scene = (s) => {
  const { c, rnd, w } = s
  const size = s.wide ? 50 : 46
  const lit = s.wide ? ([rnd.int(4, 6), rnd.int(0, 2)] as const) : ([rnd.int(0, 3), rnd.int(0, 2)] as const)
  let art = fill(s, linear(s, `0 ${c.deep}, 1 ${c.ink}`))
  let sills = ''
  for (let y = 0; y < (s.wide ? 4 : 4); y++)
    for (let x = 0; x * size < w; x++) {
      const px = x * size + 10
      const py = y * size * 1.12 + 14
      const here = x === lit[0] && y === lit[1]
      const paint = here ? c.glow : rnd.chance(0.16) ? c.mid : c.ink
      art += rect(px, py, size - 20, size - 10, paint, here ? '' : 'opacity=".75"')
      sills += `M${points([px - 2, py + size - 9])}h${size - 16}`
    }
  const lx = lit[0] * size + size / 2
  const ly = lit[1] * size * 1.12 + 14
  const person =
    circle(lx - 3, ly + 15, 5, c.ink) + path(`M${points([lx - 13, ly + size - 10])}q0-15 10-15t10 15Z`, c.ink)
  return {
    art:
      art +
      line(sills, c.mid, 2.5, 'opacity=".6"') +
      circle(lx, ly + 18, 78, radial(s, `0 ${c.glow} .5, 1 ${c.glow} 0`)) +
      person +
      line(`M${points([lx + 8, ly])}v${size - 10}M${points([lx - 15, ly + 12])}h30`, c.deep, 1.2) +
      scrim(s, c.ink, 0.6, 1),
    title: {
      box: [14, 222, 172, 66],
      face: rnd.pick(['mono', 'condensed', 'oldstyle'] as const),
      colour: c.pale,
      align: 'start',
      small: c.glow,
      max: 48,
    },
  }
}
