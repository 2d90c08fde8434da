import { circle, group, line, n, path, points } from '../pen.ts'
import { linear, pattern, radial, type Scene, type Stage, scrim, sky } from '../stage.ts'

/** A ridge of peaks and saddles from edge to edge, closed below. */
function ridge(s: Stage, base: number, height: number, steps: number): string {
  let d = `M0 ${n(s.h)}V${n(base - s.rnd.num(0, height * 0.6))}`
  for (let i = 1; i <= steps; i++) {
    const x = (s.w / steps) * i
    const up = i % 2 === 0 ? s.rnd.num(0, 0.3) : s.rnd.num(0.55, 1)
    d += `L${points([x - s.w / steps / 2.2, base - height * (up * 0.55 + s.rnd.num(0, 0.22)), x, base - height * up])}`
  }
  return `${d}V${n(s.h)}Z`
}

const birds = (s: Stage, x: number, y: number) =>
  line(
    Array.from(
      { length: 5 },
      () => `M${points([x + s.rnd.num(-34, 34), y + s.rnd.num(-12, 12)])}q3-4 5 0q2-4 5 0`,
    ).join(''),
    s.c.ink,
    1,
  )

/** Mountains behind mountains in haze, a low sun, someone on the last ridge. */
export const ranges: Scene = (s) => {
  const { c, rnd, h, u } = s
  const bright = rnd.chance(0.5)
  const hills = [0.5, 0.58, 0.67, 0.77, 0.88].map((at, i) => {
    const tone = [c.glow, c.mid, c.mid, c.deep, c.ink][i]!
    const paint =
      i < 4
        ? linear(s, [
            [0, tone, 0.5 + i * 0.13],
            [1, bright ? c.pale : c.glow, i < 2 ? 0.85 : 0.45],
          ])
        : tone
    return path(ridge(s, h * at + 12, (70 - i * 6) * u, 5 + i + (s.wide ? 3 : 0)), paint)
  })
  const sun = s.fy + (s.wide ? 0 : 20)
  const px = s.fx + rnd.num(-20, 20)
  const py = h * 0.8
  const walker = group(
    `translate(${n(px)} ${n(py)})`,
    path(`M-70 ${n(h - py + 4)}Q-20-4 0 0T90 ${n(h - py + 4)}Z`, c.ink) +
      circle(0, -15.5, 2.4, c.ink) +
      path('M-2.4-13h4.8l1 8-1.4 6h-1.4L0-4-.8 1h-1.4L-3.4-5Z', c.ink),
  )
  return {
    art:
      (bright ? sky(s, c.glow, c.pale, c.pale) : sky(s, c.ink, c.deep, c.mid, c.glow)) +
      circle(
        s.fx,
        sun,
        60 * u,
        radial(s, [
          [0, c.pale, 0.9],
          [1, c.pale, 0],
        ]),
      ) +
      circle(s.fx, sun, 28 * u, bright ? c.pop : c.pale) +
      birds(s, s.fx + 30, sun - 12) +
      hills.join('') +
      walker,
    title: {
      box: [18, 20, 164, 84],
      face: rnd.pick(['didone', 'geometric', 'oldstyle'] as const),
      colour: bright ? c.ink : c.pale,
      caps: true,
      track: 0.04,
      valign: 'top',
      small: bright ? c.ink : c.pale,
      max: 50,
    },
  }
}

/** Waves in layers, or in scales as on a printed cloth, under a big sun; a small boat. */
export const waves: Scene = (s) => {
  const { c, rnd, w, h, u } = s
  const level = h * (s.wide ? 0.58 : 0.5)
  const swell = (y: number, amp: number, long: number, paint: string) => {
    const shift = rnd.num(0, long)
    let d = `M${n(-shift)} ${n(h)}V${n(y)}`
    for (let x = -shift; x < w; x += long) d += `q${points([long / 4, -amp, long / 2, 0])}t${n(long / 2)} 0`
    return path(`${d}V${n(h)}Z`, paint)
  }
  const scales = rnd.chance(0.45)
  const ring = (x: number, y: number) =>
    [16, 12, 8, 4].map((r, i) => circle(x, y, r, i % 2 ? c.pale : c.deep)).join('')
  const cloth = scales
    ? `<rect y="${n(level + 26)}" width="${w}" height="${n(h)}" fill="${pattern(s, 32, 16, ring(0, 8) + ring(32, 8) + ring(16, 16) + ring(0, 24) + ring(32, 24))}"/>`
    : [c.mid, c.deep, c.deep, c.ink]
        .map((paint, i) =>
          swell(
            level + (26 + i * 32) * u,
            (16 + i * 6) * u,
            74 + i * 24,
            i === 2
              ? linear(s, [
                  [0, c.deep],
                  [1, c.ink],
                ])
              : paint,
          ),
        )
        .join('')
  const boat = group(
    `translate(${n(s.fx - 26 * u)} ${n(level + 10)}) rotate(${n(rnd.num(-9, 9))}) scale(${n(1.2 * u)})`,
    path('M-18 0H20L13 9H-12Z', c.ink) +
      path('M1-3V-40Q18-20 15-3Z', c.pale) +
      path('M-2-3V-32Q-14-16-12-3Z', c.pop),
  )
  return {
    art:
      sky(s, c.glow, c.pale, c.pale) +
      circle(
        s.fx,
        s.fy + 8,
        58 * u,
        linear(s, [
          [0, c.pop],
          [1, c.glow],
        ]),
      ) +
      swell(level, 7, 60, c.mid) +
      boat +
      swell(
        level + 12,
        9,
        52,
        linear(s, [
          [0, c.mid],
          [1, c.deep],
        ]),
      ) +
      cloth +
      scrim(s, c.ink, 0.6, 0.92),
    title: {
      box: [16, 208, 168, 80],
      face: rnd.pick(['oldstyle', 'geometric', 'didone'] as const),
      colour: c.pale,
      small: c.glow,
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
      rock(s.fx + 62 * u, 30 * u, 62 * u, c.mid) +
      rock(
        s.fx - 66 * u,
        36 * u,
        84 * u,
        linear(s, [
          [0, c.deep],
          [1, c.mid],
        ]),
      ) +
      rock(s.fx - 24 * u, 8 * u, 44 * u, c.deep) +
      path(
        `M0 ${n(h)}V${n(y)}Q${points([w * 0.4, y - 8, w, y + 6])}V${n(h)}Z`,
        linear(s, [
          [0, c.deep],
          [0.5, c.ink],
          [1, c.ink],
        ]),
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
  const fog = linear(s, [
    [0, c.mid, 0],
    [0.6, c.mid, 0.75],
    [1, c.ink, 0.6],
  ])
  const count = s.wide ? 11 : 7
  const y = h * 0.56
  return {
    art:
      sky(s, c.deep, c.mid, c.glow, c.mid, c.ink) +
      path(row(count + 4, 2.4, 8), c.mid) +
      path(row(count, 4, 20), c.deep, 'opacity=".85"') +
      `<rect y="${n(h * 0.3)}" width="${w}" height="${n(h * 0.7)}" fill="${fog}"/>` +
      circle(
        s.fx,
        y,
        62 * u,
        radial(s, [
          [0, c.pale, 0.95],
          [0.25, c.glow, 0.55],
          [1, c.glow, 0],
        ]),
      ) +
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
      circle(
        s.fx,
        s.fy,
        r * 1.7,
        radial(s, [
          [0.4, c.glow, 0.6],
          [1, c.glow, 0],
        ]),
      ) +
      circle(
        s.fx,
        s.fy,
        r,
        radial(s, [
          [0, c.pale],
          [1, c.glow],
        ]),
      ) +
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
