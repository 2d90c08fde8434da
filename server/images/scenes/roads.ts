import { circle, line, n, path, points, poly, rect } from '../pen.ts'
import { fill, linear, type Scene, sky } from '../stage.ts'

/** A road to the sun between telegraph poles. */
export const road: Scene = (s) => {
  const { c, rnd, w, h, u } = s
  const y = h * (s.wide ? 0.56 : 0.62)
  const x = s.fx + (s.wide ? 0 : rnd.num(-18, 18))
  const r = rnd.num(50, 64) * u
  const stripes = Array.from({ length: 4 }, (_, i) =>
    rect(x - r, y - r * (0.12 + i * 0.2), r * 2, 1 + (4 - i) * 1.1, c.glow, 'opacity=".55"'),
  ).join('')
  const spread = w * (s.wide ? 0.34 : 0.5)
  const dash = [0.05, 0.13, 0.26, 0.46, 0.74]
  const dashes = dash.map((k) => {
    const at = y + (h - y) * k
    const long = (h - y) * k * 0.42
    return poly([x - k * 2.4, at, x + k * 2.4, at, x + k * 4, at + long, x - k * 4, at + long], c.glow)
  })
  const pole = (k: number) => {
    const px = x + (k * spread + 6) * 1.5
    const top = y - 14 - k * 130 * u
    return `M${points([px, y + k * (h - y) * 0.5])}L${points([px, top])}M${points([px - 4 - k * 16, top + 3 + k * 8])}h${n(8 + k * 32)}`
  }
  const poles = [0.06, 0.16, 0.34, 0.66].map((k) => line(pole(k), c.ink, 0.7 + k * 4)).join('')
  return {
    art:
      fill(s, linear(s, `0 ${c.ink}, .24 ${c.deep}, .42 ${c.mid}, .54 ${c.glow}, .63 ${c.pale}`)) +
      circle(x, y, r, c.pop) +
      stripes +
      path(
        `M0 ${n(y)}V${n(y - 16 * u)}q${points([w * 0.2, -30 * u, w * 0.42, 4])}T${points([w * 0.8, y - 14 * u])}T${points([w, y - 22 * u])}V${n(y)}Z`,
        c.mid,
      ) +
      rect(0, y, w, h - y, linear(s, `0 ${c.mid}, .25 ${c.deep}, 1 ${c.ink}`)) +
      poly([x - 1.5, y, x + 1.5, y, x + spread, h, x - spread, h], linear(s, `0 ${c.deep}, 1 ${c.ink}`)) +
      line(
        `M${points([x - 1.5, y])}L${points([x - spread * 0.9, h])}M${points([x + 1.5, y])}L${points([x + spread * 0.9, h])}`,
        c.pale,
        1.2,
        'opacity=".7"',
      ) +
      dashes.join('') +
      poles,
    title: {
      box: [16, 20, 168, 96],
      face: rnd.pick(['condensed', 'geometric', 'slab'] as const),
      colour: c.pale,
      caps: true,
      valign: 'top',
      small: c.pale,
      max: 58,
    },
  }
}

/** Flat-topped rocks, a hot sun, a rider or cactus. */
export const mesa: Scene = (s) => {
  const { c, rnd, w, h, u } = s
  const y = h * (s.wide ? 0.7 : 0.64)
  const rock = (x: number, half: number, top: number, paint: string) =>
    path(
      `M${points([x - half * 1.7, y + 4])}L${points([x - half * 1.1, y - top * 0.3, x - half, y - top, x - half * 0.5, y - top - 3, x + half * 0.4, y - top + 2, x + half, y - top + 1, x + half * 1.08, y - top * 0.34, x + half * 1.8, y + 4])}Z`,
      paint,
    )
  const cactus = (x: number, k: number) =>
    line(
      `M${points([x, y + 40 * k])}v${n(-70 * k)}M${points([x, y])}h${n(-12 * k)}v${n(-22 * k)}M${points([x, y + 8 * k])}h${n(12 * k)}v${n(-30 * k)}`,
      c.ink,
      7 * k,
      'stroke-linecap="round" stroke-linejoin="round"',
    )
  const bands = [1.55, 1.25, 1]
    .map((k, i) =>
      circle(
        s.fx,
        y - 52 * u,
        54 * u * k,
        [c.glow, c.glow, c.pale][i]!,
        i < 2 ? `opacity="${0.35 + i * 0.3}"` : '',
      ),
    )
    .join('')
  return {
    art:
      sky(s, c.mid, c.mid, c.glow) +
      bands +
      rock(s.fx + rnd.num(44, 74) * u, rnd.num(20, 36) * u, rnd.num(40, 76) * u, c.mid) +
      rock(
        s.fx - rnd.num(54, 80) * u,
        rnd.num(26, 40) * u,
        rnd.num(66, 98) * u,
        linear(s, `0 ${c.deep}, 1 ${c.mid}`),
      ) +
      rock(s.fx - rnd.num(-8, 28) * u, 8 * u, rnd.num(30, 54) * u, c.deep) +
      path(
        `M0 ${n(h)}V${n(y)}Q${points([w * 0.4, y - 8, w, y + 6])}V${n(h)}Z`,
        linear(s, `0 ${c.deep}, .5 ${c.ink}, 1 ${c.ink}`),
      ) +
      cactus(s.wide ? w * 0.9 : w * rnd.num(0.74, 0.84), 0.9 * u) +
      cactus(s.wide ? w * 0.5 : w * 0.14, 0.5 * u),
    title: {
      box: [14, 214, 172, 74],
      face: rnd.pick(['slab', 'heavy'] as const),
      colour: c.glow,
      caps: true,
      mode: 'stack',
      small: c.pale,
      max: 58,
    },
  }
}
