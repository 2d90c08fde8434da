import { circle, group, line, n, path, points } from '../pen.ts'
import { linear, pattern, radial, type Scene, type Stage, scrim, sky } from '../stage.ts'

const birds = (s: Stage, x: number, y: number) =>
  line(
    Array.from(
      { length: 5 },
      () => `M${points([x + s.rnd.num(-34, 34), y + s.rnd.num(-12, 12)])}q3-4 5 0q2-4 5 0`,
    ).join(''),
    s.c.ink,
    1,
  )

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

/** Mountains behind mountains in haze, a low sun, someone on the last ridge. */
export const ranges: Scene = (s) => {
  const { c, rnd, h, u } = s
  const bright = rnd.chance(0.5)
  const hills = [0.5, 0.58, 0.67, 0.77, 0.88].map((at, i) => {
    const tone = [c.glow, c.mid, c.mid, c.deep, c.ink][i]!
    const paint =
      i < 4
        ? linear(s, `0 ${tone} ${0.5 + i * 0.13}, 1 ${bright ? c.pale : c.glow} ${i < 2 ? 0.85 : 0.45}`)
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
      circle(s.fx, sun, 60 * u, radial(s, `0 ${c.pale} .9, 1 ${c.pale} 0`)) +
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
            i === 2 ? linear(s, `0 ${c.deep}, 1 ${c.ink}`) : paint,
          ),
        )
        .join('')
  const boat = group(
    `translate(${n(s.fx + rnd.num(-52, 44) * u)} ${n(level + 10)}) rotate(${n(rnd.num(-9, 9))}) scale(${n(1.2 * u)})`,
    path('M-18 0H20L13 9H-12Z', c.ink) +
      path('M1-3V-40Q18-20 15-3Z', c.pale) +
      path('M-2-3V-32Q-14-16-12-3Z', c.pop),
  )
  return {
    art:
      sky(s, c.glow, c.pale, c.pale) +
      circle(
        s.fx + rnd.num(-26, 26),
        s.fy + rnd.num(-14, 14),
        rnd.num(40, 62) * u,
        linear(s, `0 ${c.pop}, 1 ${c.glow}`),
      ) +
      swell(level, 7, 60, c.mid) +
      boat +
      swell(level + 12, 9, 52, linear(s, `0 ${c.mid}, 1 ${c.deep}`)) +
      cloth +
      scrim(s, c.ink, 0.5, 0.94),
    title: {
      box: [16, 208, 168, 80],
      face: rnd.pick(['oldstyle', 'geometric', 'didone'] as const),
      colour: c.pale,
      small: c.glow,
      max: 58,
    },
  }
}
