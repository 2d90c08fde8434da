import { circle, group, line, n, path, points, rect } from '../pen.ts'
import { fill, linear, pattern, radial, type Scene, scrim, sky } from '../stage.ts'

/** A procession of arches over dunes, a lattice of stars, a moon. */
export const arches: Scene = (s) => {
  const { c, rnd, w, h, u } = s
  const star = (r: number) =>
    `M${points(Array.from({ length: 16 }, (_, i) => [Math.cos(i * 0.3927) * (i % 2 ? r * 0.7 : r), Math.sin(i * 0.3927) * (i % 2 ? r * 0.7 : r)]).flat())}Z`
  const lattice = pattern(
    s,
    28,
    28,
    group(
      'translate(14 14)',
      path(star(10), 'none', `stroke="${c.glow}" stroke-width=".8"`) +
        line('M-14 0H-10M10 0H14M0-14V-10M0 10V14M-14-14-7-7M14-14 7-7M-14 14-7 7M14 14 7 7', c.glow, 0.8),
    ),
  )
  const arch = (k: number) => {
    const half = 74 * k * u
    const foot = h * (s.wide ? 0.95 : 0.7)
    const spring = foot - 86 * k * u
    const x = s.fx
    return `M${points([x - half, foot])}V${n(spring)}C${points([x - half * 1.1, spring - half * 0.7, x - half * 0.5, spring - half * 0.86, x, spring - half * 1.32, x + half * 0.5, spring - half * 0.86, x + half * 1.1, spring - half * 0.7, x + half, spring])}V${n(foot)}Z`
  }
  const foot = h * (s.wide ? 0.95 : 0.7)
  const dune = (y: number, paint: string) =>
    path(
      `M${points([s.fx - 58 * u, y])}q${points([30 * u, -22 * u, 62 * u, -2 * u])}t${points([60 * u, -8 * u])}V${n(foot)}H${n(s.fx - 58 * u)}Z`,
      paint,
    )
  const camel = group(
    `translate(${points([s.fx - 12 * u, foot - 37 * u])}) scale(${n(0.62 * u)})`,
    path(
      'M-26 20V2Q-22-8-14-6-8-20 0-8 6-20 12-6 20-8 24-20 26-28 36-24L36-19 30-18Q28 0 18 4V20H15L14 5H-16L-20 20Z',
      c.ink,
    ),
  )
  return {
    art:
      sky(s, c.deep, c.ink) +
      fill(s, lattice, 'opacity=".42"') +
      path(arch(1.16), c.ink) +
      path(arch(1.08), c.mid) +
      path(arch(0.98), c.deep, `stroke="${c.glow}" stroke-width="1.6"`) +
      path(arch(0.84), linear(s, `0 ${c.mid}, .55 ${c.glow}, 1 ${c.pale}`)) +
      circle(s.fx + rnd.num(-10, 18) * u, foot - 104 * u, 21 * u, c.pale) +
      dune(foot - 26 * u, c.pop) +
      camel +
      dune(foot - 13 * u, c.deep) +
      (s.wide ? '' : rect(0, foot, w, h, c.ink) + line(`M0 ${n(foot)}H${w}`, c.glow, 1.6)),
    title: {
      box: [14, 220, 172, 68],
      face: rnd.pick(['didone', 'oldstyle'] as const),
      colour: c.pale,
      caps: true,
      valign: 'middle',
      track: 0.06,
      small: c.glow,
      max: 48,
    },
  }
}

/** Columns and a low sun: what remains. */
export const columns: Scene = (s) => {
  const { c, rnd, h, u } = s
  const foot = h * (s.wide ? 0.84 : 0.7)
  const tall = 128 * u
  const flute = linear(s, `0 ${c.ink}, .3 ${c.deep}, .55 ${c.mid}, .8 ${c.deep}, 1 ${c.ink}`, '')
  const column = (x: number, whole: number) => {
    const top = foot - tall * whole
    const head =
      whole === 1
        ? rect(x - 14 * u, top - 6 * u, 28 * u, 6 * u, flute) + rect(x - 11 * u, top, 22 * u, 4 * u, c.ink)
        : ''
    return (
      path(
        `M${points([x - 9 * u, foot])}L${points([x - 7.6 * u, top + (whole < 1 ? 7 : 0), x - 2, top, x + 2 * u, top + (whole < 1 ? 9 * u : 0), x + 7.6 * u, top, x + 9 * u, foot])}Z`,
        flute,
      ) +
      head +
      rect(x - 12 * u, foot - 5 * u, 24 * u, 6 * u, c.ink)
    )
  }
  const broken = rnd.int(3, 4)
  const all = [0, 1, 2, 3, 4]
    .map((i) => column(s.fx + (i - 2) * 39 * u, i < broken ? 1 : rnd.num(0.35, 0.7)))
    .join('')
  const roof = s.fx + (broken - 2.7) * 39 * u
  const lintel = foot - tall - 6 * u
  const gable =
    `M${points([s.fx - 96 * u, lintel])}H${n(roof)}l${points([9 * u, -7 * u, -13 * u, -9 * u, -18 * u, -8 * u])}` +
    `L${points([s.fx - 96 * u, lintel - 14 * u])}Z`
  return {
    art:
      sky(s, c.mid, c.glow, c.pale) +
      circle(s.fx + 22 * u, foot - 54 * u, 50 * u, c.pop) +
      circle(s.fx + 22 * u, foot - 54 * u, 100 * u, radial(s, `.4 ${c.pale} .7, 1 ${c.pale} 0`)) +
      all +
      path(gable, c.ink) +
      rect(0, foot, s.w, h - foot, linear(s, `0 ${c.deep}, .3 ${c.ink}, 1 ${c.ink}`)),
    title: {
      box: [14, 224, 172, 64],
      face: rnd.pick(['oldstyle', 'didone'] as const),
      colour: c.pale,
      caps: true,
      track: 0.08,
      small: c.glow,
      max: 48,
    },
  }
}

/** Rays, a star, a line of people: a banner of its time. */
export const banner: Scene = (s) => {
  const { c, rnd, h, u } = s
  const y = h * (s.wide ? 0.56 : 0.5)
  const count = 14
  const rays = Array.from({ length: count }, (_, i) => {
    const a = (i / count) * 6.283 - 0.11
    const b = a + 6.283 / count / 2
    return `M${points([s.fx, y])}L${points([s.fx + Math.cos(a) * 420, y + Math.sin(a) * 420, s.fx + Math.cos(b) * 420, y + Math.sin(b) * 420])}Z`
  }).join('')
  const [one, two] = rnd.pick([
    [c.pop, c.glow],
    [c.glow, c.pale],
    [c.deep, c.pop],
  ] as const)
  const star = points(
    Array.from({ length: 10 }, (_, i) => [
      Math.sin(i * 0.6283) * (i % 2 ? 15 : 38),
      -Math.cos(i * 0.6283) * (i % 2 ? 15 : 38),
    ]).flat(),
  )
  const soldier = (x: number, k: number) =>
    group(
      `translate(${points([x, y + 62 * u])}) scale(${n(k)})`,
      path('M-12 60V4Q-12-10 0-10T12 4V60Z', c.ink) +
        circle(0, -18, 9, c.ink) +
        path('M-11-19Q-11-30 0-30T11-19L14-16H-14Z', c.ink) +
        line('M10 10 18-52', c.ink, 2.4),
    )
  const row = [-78, -50, 50, 78, -25, 25, 0]
    .map((x, i) => soldier(s.fx + x * u, (i > 3 ? (i === 6 ? 1.3 : 1.12) : 0.95) * u))
    .join('')
  const emblem = rnd.pick([
    path(`M${star}Z`, c.pale),
    path('M-60 8-6-4-2-40Q0-48 2-40L6-4 60 8V16L6 14 4 36 18 44V50H-18V44L-4 36-6 14-60 16Z', c.pale),
    path('M0-44C26-30 40-32 40-32 40 10 26 32 0 46-26 32-40 10-40-32-40-32-26-30 0-44Z', c.pale) +
      path('M0-30V32Q24 20 26-20 14-22 0-30Z', two),
  ])
  return {
    art:
      fill(s, one) +
      path(rays, two, 'opacity=".85"') +
      circle(s.fx, y - 48 * u, 54 * u, c.ink) +
      circle(s.fx, y - 48 * u, 49 * u, one) +
      group(`translate(${points([s.fx, y - 48 * u])}) scale(${n(0.86 * u)})`, emblem) +
      row +
      scrim(s, c.ink, 0.64, 1) +
      rect(0, h * 0.86, s.w, h * 0.15, c.ink),
    title: {
      box: [12, 220, 176, 68],
      face: rnd.pick(['heavy', 'slab', 'condensed'] as const),
      colour: c.pale,
      caps: true,
      mode: 'stack',
      small: c.glow,
      max: 58,
    },
  }
}
