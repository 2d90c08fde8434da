import { circle, group, line, n, path, points } from '../pen.ts'
import { linear, radial, type Scene, scrim, sky } from '../stage.ts'

/** Trunks in fog, and one light. */
export const forest: Scene = (s) => {
  const { c, rnd, w, h, u } = s
  const trunk = (x: number, half: number) =>
    `M${points([x - half, -4])}L${points([x + half * 0.8, -4, x + half * 0.9, h * 0.6, x + half * 1.8, h + 4, x - half * 2, h + 4, x - half * 1.1, h * 0.6])}Z` +
    twig(x, h * rnd.num(0.08, 0.4), rnd.pick([-1, 1]) * half)
  const twig = (x: number, y: number, k: number) =>
    `M${points([x, y])}q${points([k * 3, -Math.abs(k), k * 4.4, -Math.abs(k) * 4])}q${points([-k * 1.2, Math.abs(k) * 3.6, -k * 4.4, Math.abs(k) * 5.4])}Z`
  const row = (count: number, half: number, gap: number) =>
    Array.from({ length: count }, (_, i) => (i + rnd.num(0.2, 0.8)) * (w / count))
      .filter((x) => Math.abs(x - s.fx) > gap)
      .map((x) => trunk(x, half * rnd.num(0.7, 1.2)))
      .join('')
  const fog = linear(s, `0 ${c.mid} 0, .6 ${c.mid} .75, 1 ${c.ink} .6`)
  const count = s.wide ? 11 : 7
  const y = h * 0.56
  return {
    art:
      sky(s, c.deep, c.mid, c.glow, c.mid, c.ink) +
      path(row(count + 4, 2.4, 8), c.mid) +
      path(row(count, 4, 20), c.deep, 'opacity=".85"') +
      `<rect y="${n(h * 0.3)}" width="${w}" height="${n(h * 0.7)}" fill="${fog}"/>` +
      circle(s.fx, y, 62 * u, radial(s, `0 ${c.pale} .95, .25 ${c.glow} .55, 1 ${c.glow} 0`)) +
      circle(s.fx, y, 3.4, c.pale) +
      path('M-2.6 2h5.2l2 20h-9Z', c.ink, `transform="translate(${n(s.fx + 5)} ${n(y - 4)})"`) +
      circle(s.fx + 5, y - 5, 2.6, c.ink) +
      path(row(s.wide ? 5 : 3, 10 * u, 42 * u), c.ink) +
      scrim(s, c.ink, 0.62, 1),
    title: {
      box: [16, 208, 168, 80],
      face: rnd.pick(['didone', 'condensed', 'mono'] as const),
      colour: c.pale,
      caps: true,
      track: 0.06,
      small: c.glow,
      max: 58,
    },
  }
}

/** A bare tree before the moon. */
export const branches: Scene = (s) => {
  const { c, rnd, h, u } = s
  const parts: string[] = []
  const grow = (x: number, y: number, angle: number, long: number, depth: number) => {
    const tx = x + Math.cos(angle) * long
    const ty = y + Math.sin(angle) * long
    parts.push(
      line(
        `M${points([x, y])}Q${points([(x + tx) / 2 + rnd.num(-5, 5), (y + ty) / 2, tx, ty])}`,
        c.ink,
        0.5 + depth ** 1.75 * 0.62 * u,
      ),
    )
    if (depth === 0) return
    grow(tx, ty, angle - rnd.num(0.25, 0.7), long * rnd.num(0.66, 0.84), depth - 1)
    grow(tx, ty, angle + rnd.num(0.2, 0.65), long * rnd.num(0.6, 0.8), depth - 1)
  }
  const foot = h * (s.wide ? 0.95 : 0.74)
  grow(s.fx + 38 * u, foot, -1.75, 52 * u, 4)
  const r = 72 * u
  const crow = group(
    `translate(${n(s.fx - 44 * u)} ${n(s.fy - 8)}) scale(${n(0.9 * u)})`,
    path('M-12 2Q-4-8 4-5Q6-9 10-8L14-6L9-4Q8 4-2 5L-14 9Z', c.ink),
  )
  return {
    art:
      sky(s, c.ink, c.deep, c.mid, c.deep, c.ink) +
      circle(s.fx, s.fy, r * 1.7, radial(s, `.4 ${c.glow} .6, 1 ${c.glow} 0`)) +
      circle(s.fx, s.fy, r, radial(s, `0 ${c.pale}, 1 ${c.glow}`)) +
      circle(s.fx - 22 * u, s.fy - 18 * u, 13 * u, c.glow, 'opacity=".35"') +
      circle(s.fx + 20 * u, s.fy + 26 * u, 19 * u, c.glow, 'opacity=".3"') +
      path(
        `M0 ${n(h)}V${n(foot + 4)}Q${points([s.w * 0.3, foot - 14, s.w * 0.62, foot - 4])}T${points([s.w, foot - 8])}V${n(h)}Z`,
        c.ink,
      ) +
      parts.join('') +
      crow,
    title: {
      box: [16, 228, 168, 60],
      face: rnd.pick(['didone', 'oldstyle', 'heavy'] as const),
      colour: c.pale,
      caps: true,
      track: 0.05,
      small: c.glow,
      max: 48,
    },
  }
}
