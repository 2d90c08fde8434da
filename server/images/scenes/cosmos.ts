import { circle, dots, ellipse, group, line, n, path, points } from '../pen.ts'
import { clip, fill, linear, radial, type Scene, type Stage, scrim, sky } from '../stage.ts'

export const stars = (s: Stage, count: number) => {
  const at = () => Array.from({ length: count }, () => [s.rnd.num(0, s.w), s.rnd.num(0, s.h * 0.85)] as const)
  return dots(at(), s.c.pale, 0.8, 'opacity=".7"') + dots(at().slice(0, count / 4), s.c.pale, 1.6)
}

/** A planet in side light with rings and hairline orbits. */
export const orbits: Scene = (s) => {
  const { c, rnd, u } = s
  const r = rnd.num(48, 58) * u
  const tilt = rnd.pick([-1, 1]) * rnd.num(14, 28)
  const ball = clip(s, circle(0, 0, r, c.ink))
  const bands = Array.from({ length: 5 }, (_, i) =>
    ellipse(
      0,
      -r + r * 0.42 * (i + 0.3),
      r * 1.2,
      r * rnd.num(0.06, 0.17),
      i % 2 ? c.pale : c.mid,
      `opacity="${i % 2 ? 0.35 : 0.6}"`,
    ),
  ).join('')
  const shade = radial(s, `.3 ${c.ink} 0, .75 ${c.ink} .6, 1 ${c.ink} .95`, 'cx=".3" cy=".28" r=".85"')
  const half = (k: number, sweep: number) =>
    `M${points([-r * k, 0])}A${points([r * k, r * k * 0.24])} 0 0 ${sweep} ${points([r * k, 0])}`
  const ring = (sweep: number) =>
    line(half(1.62, sweep), c.glow, r * 0.16, 'opacity=".85"') +
    line(half(1.9, sweep), c.pale, r * 0.06, 'opacity=".7"') +
    line(half(1.36, sweep), c.pop, 1.4)
  const planet = `${ring(1)}<g clip-path="${ball}">${circle(
    0,
    0,
    r,
    linear(s, `0 ${c.glow}, 1 ${c.pop}`),
  )}${bands}</g>${circle(0, 0, r + 0.3, shade)}${ring(0)}`
  const orbit = [2.5, 3.3, 4.2].map((k, i) => {
    const a = rnd.num(0, 6.3)
    return (
      ellipse(0, 0, r * k, r * k * 0.42, 'none', `stroke="${c.pale}" stroke-width=".5" opacity=".4"`) +
      circle(Math.cos(a) * r * k, Math.sin(a) * r * k * 0.42, (5 - i) * u, i === 1 ? c.pop : c.pale)
    )
  })
  return {
    art:
      sky(s, c.ink, c.deep, c.mid, c.ink) +
      stars(s, 46) +
      group(`translate(${n(s.fx)} ${n(s.fy)}) rotate(${n(tilt)})`, orbit.join('') + planet) +
      scrim(s, c.ink, 0.6),
    title: {
      box: [14, 212, 172, 74],
      face: rnd.pick(['geometric', 'grotesk', 'condensed'] as const),
      colour: c.pale,
      caps: true,
      track: rnd.pick([0.02, 0.14]),
      small: c.glow,
      max: 48,
    },
  }
}

/** The rim of a world at dawn, seen from far above; someone small floats. */
export const horizon: Scene = (s) => {
  const { c, rnd, w, h, u } = s
  const r = w * (s.wide ? 0.9 : 1.25)
  const top = h * (s.wide ? 0.62 : 0.58)
  const x = s.fx + rnd.num(-30, 30) * u
  const disc = circle(x, top + r, r, linear(s, `0 ${c.mid}, .16 ${c.deep}, .4 ${c.ink}`))
  const edge = r / (r + 60 * u)
  const suit =
    path('M-7-4Q-7-13 0-13T7-4V8Q7 10 5 10L6 24H1L0 14-1 24H-6L-5 10Q-7 10-7 8Z', c.pale) +
    path('M-7-3-15 5-13 9-6 4ZM7-3 14-11 17-8 7 4Z', c.pale) +
    circle(0, -14, 7.5, c.pale) +
    ellipse(1, -14, 5, 4.4, c.ink) +
    path('M2-17.5a4 3.6 0 0 1 3.4 3', c.pop)
  const sx = s.fx + (s.wide ? 40 : rnd.num(-26, 30))
  return {
    art:
      sky(s, c.ink, c.ink, c.deep, c.mid) +
      stars(s, 60) +
      circle(
        x,
        top + r,
        r + 60 * u,
        radial(
          s,
          `${edge - 0.01} ${c.pale}, ${edge + 0.012} ${c.glow} .9, ${edge + 0.07} ${c.pop} .4, 1 ${c.pop} 0`,
        ),
      ) +
      disc +
      circle(x - r * 0.12, top + 1, 34 * u, radial(s, `0 ${c.pale}, .2 ${c.pale} .9, 1 ${c.glow} 0`)) +
      line(
        `M${points([sx, s.fy - 20])}q${points([-60, -30, -30, -80])}T${points([sx - 120, -10])}`,
        c.pale,
        0.6,
        'opacity=".7"',
      ) +
      group(`translate(${n(sx)} ${n(s.fy - 12)}) rotate(${n(rnd.num(-35, 35))}) scale(${n(1.05 * u)})`, suit),
    title: {
      box: [20, 200, 160, 84],
      face: rnd.pick(['geometric', 'grotesk'] as const),
      colour: c.pale,
      caps: true,
      track: 0.16,
      small: c.glow,
      max: 48,
    },
  }
}

/** Eclipse: worlds in one line, a crown of light. */
export const eclipse: Scene = (s) => {
  const { c, rnd, u } = s
  const r = rnd.num(44, 54) * u
  const rays = Array.from({ length: 40 }, (_, i) => {
    const a = (i / 40) * 6.283
    const long = r * (i % 4 === 0 ? 1.9 : i % 2 ? 1.3 : 1.5)
    return `M${points([s.fx + Math.cos(a) * r * 1.08, s.fy + Math.sin(a) * r * 1.08])}L${points([s.fx + Math.cos(a) * long, s.fy + Math.sin(a) * long])}`
  }).join('')
  const rings = [2.2, 2.7, 3.3]
    .map((k) => circle(s.fx, s.fy, r * k, 'none', `stroke="${c.glow}" stroke-width=".5" opacity=".5"`))
    .join('')
  return {
    art:
      fill(
        s,
        radial(s, `0 ${c.mid}, .45 ${c.deep}, 1 ${c.ink}`, `cx="${s.wide ? '.68' : '.5'}" cy=".4" r=".75"`),
      ) +
      stars(s, 30) +
      rings +
      circle(s.fx, s.fy, r * 2, radial(s, `.4 ${c.glow} .95, .6 ${c.pop} .45, 1 ${c.pop} 0`)) +
      line(rays, c.pale, 0.8, 'opacity=".75"') +
      circle(s.fx, s.fy, r, c.ink) +
      circle(s.fx + r * 0.72, s.fy - r * 0.72, 3.4 * u, c.pale) +
      circle(s.fx + r * 0.72, s.fy - r * 0.72, 13 * u, radial(s, `0 ${c.pale} .9, 1 ${c.pale} 0`)) +
      scrim(s, c.ink, 0.66, 0.8),
    title: {
      box: [16, 206, 168, 80],
      face: rnd.pick(['didone', 'geometric', 'condensed'] as const),
      colour: c.pale,
      caps: true,
      track: 0.08,
      small: c.glow,
      max: 48,
    },
  }
}
