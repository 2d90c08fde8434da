import { onGround } from '../palette.ts'
import { circle, group, line, n, path, points, poly, rect } from '../pen.ts'
import { fill, linear, pattern, radial, type Scene, scrim, sky } from '../stage.ts'

/** Paper hills, kites and a house. */
export const kites: Scene = (s) => {
  const { c, rnd, w, h, u } = s
  const hill = (y: number, rise: number, paint: string) => {
    const d = `M-5 ${n(h + 5)}V${n(y + rnd.num(-10, 14))}C${points([w * 0.25, y - rise, w * 0.4, y + rise * 0.6, w * 0.62, y, w * 0.8, y - rise * 0.7, w * 0.9, y - rise * 0.4, w + 5, y - rnd.num(0, 16)])}V${n(h + 5)}Z`
    return path(d, c.ink, 'opacity=".16" transform="translate(0 -4)"') + path(d, paint)
  }
  const cloud = (x: number, y: number, k: number) =>
    group(
      `translate(${points([x, y])}) scale(${n(k)})`,
      path('M-30 10A12 12 0 0 1-24-10 18 18 0 0 1 10-14 14 14 0 0 1 30 10Z', c.pale),
    )
  const kite = (x: number, y: number, k: number, one: string, two: string) =>
    line(`M${points([x, y + 26 * k])}q-14 16 0 30t-6 ${n(34 * k)}`, c.pale, 1.2) +
    group(
      `translate(${points([x, y])}) rotate(${rnd.int(-18, 26)}) scale(${n(k)})`,
      path('M0-30 20-4 0 28-20-4Z', one) +
        path('M0-30V28L-20-4ZM0-4', two) +
        line('M0-30V28M-20-4H20', c.ink, 0.7),
    )
  const tree = (x: number, y: number, k: number) =>
    rect(x - 1.5 * k, y, 3 * k, 16 * k, c.ink) +
    circle(x, y - 5 * k, 12 * k, c.deep) +
    circle(x - 3 * k, y - 8 * k, 7 * k, c.mid)
  const base = h * (s.wide ? 0.64 : 0.47)
  const hx = s.fx + rnd.num(-34, 30)
  const house = group(
    `translate(${points([hx, base + 12 * u])}) scale(${n(u)})`,
    path('M-15 14V-8H15V14Z', c.pale) +
      path('M-20-7 0-26 20-7Z', c.pop) +
      path('M-4 14V2H4V14Z', c.deep) +
      rect(7, -22, 5, 12, c.pop),
  )
  return {
    art:
      sky(s, c.mid, c.mid, c.pale) +
      circle(w * (s.wide ? 0.86 : 0.78), 50 * u, 24 * u, c.glow) +
      circle(w * (s.wide ? 0.86 : 0.78), 50 * u, 34 * u, c.glow, 'opacity=".35"') +
      cloud(w * 0.2, 36 * u, 0.9 * u) +
      cloud(w * 0.62, 88 * u, 0.7 * u) +
      kite(s.fx - 36 * u, 62 * u, 1.1 * u, c.pop, c.glow) +
      kite(s.fx + 22 * u, 100 * u, 0.72 * u, c.glow, c.pop) +
      hill(
        base,
        40 * u,
        linear(s, [
          [0, c.glow],
          [1, c.mid],
        ]),
      ) +
      house +
      tree(hx + 36 * u, base + 8 * u, 1.1 * u) +
      tree(hx - 40 * u, base + 20 * u, 0.8 * u) +
      hill(base + 42 * u, 34 * u, c.mid) +
      tree(w * 0.12, base + 36 * u, 1.3 * u) +
      hill(
        base + 66 * u,
        22 * u,
        linear(s, [
          [0, c.deep],
          [1, c.ink],
        ]),
      ),
    title: {
      box: [12, 206, 176, 84],
      face: rnd.pick(['geometric', 'heavy', 'slab'] as const),
      colour: c.pale,
      fat: true,
      valign: 'middle',
      small: c.glow,
      max: 58,
    },
  }
}

/** Under the sea: a whale, light from above. */
export const deep: Scene = (s) => {
  const { c, rnd, w, h, u } = s
  const shaft = (x: number) =>
    poly([x, -4, x + 22, -4, x - 30, h * 0.75, x - 90, h * 0.75], c.pale, 'opacity=".13"')
  const whale =
    path(
      'M-78 8C-70-34-10-46 34-24 54-14 62-14 72-34 80-30 84-28 96-36 96-14 86-2 72 2 60 28 20 44-26 40-60 38-80 28-78 8Z',
      linear(s, [
        [0, c.deep],
        [1, c.ink],
      ]),
    ) +
    path('M-77 12C-50 22-20 18 10 34-10 42-30 41-40 39-62 36-78 28-77 12Z', c.pale) +
    line('M-60 22q20 4 34 14M-44 20q20 4 36 14', c.mid, 1.4) +
    circle(-50, 4, 3, c.pale) +
    path('M-14 24Q-4 50-24 60-34 44-30 26Z', c.ink)
  const fish = Array.from({ length: 7 }, () => {
    const x = s.fx + rnd.num(-90, 90) * u
    const y = h * rnd.num(0.1, 0.62)
    return `M${points([x, y])}q6-6 12 0l5-4v8l-5-4q-6 6-12 0Z`
  }).join('')
  const weed = Array.from(
    { length: s.wide ? 14 : 8 },
    (_, i) =>
      `M${points([(i + 0.5) * (w / (s.wide ? 14 : 8)) + rnd.num(-8, 8), h + 4])}q${points([rnd.num(-14, 14), -24, 0, -rnd.num(36, 60)])}`,
  ).join('')
  const bubbles = Array.from({ length: 9 }, () =>
    circle(
      s.fx - 60 * u + rnd.num(-16, 30),
      h * rnd.num(0.04, 0.34),
      rnd.num(1.4, 4.5),
      'none',
      `stroke="${c.pale}" stroke-width=".8"`,
    ),
  ).join('')
  return {
    art:
      sky(s, c.glow, c.mid, c.deep, c.ink) +
      shaft(w * 0.4) +
      shaft(w * 0.66) +
      shaft(w * 0.98) +
      path(fish, c.pop) +
      group(
        `translate(${points([s.fx, s.fy + 6])}) rotate(${rnd.int(-14, 8)}) scale(${n(1.05 * u)})`,
        whale,
      ) +
      bubbles +
      line(weed, c.ink, 5, 'stroke-linecap="round" opacity=".8"'),
    title: {
      box: [12, 200, 176, 78],
      face: rnd.pick(['geometric', 'heavy', 'script'] as const),
      colour: c.pale,
      fat: true,
      small: c.glow,
      max: 58,
    },
  }
}

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
      path(
        arch(0.84),
        linear(s, [
          [0, c.mid],
          [0.55, c.glow],
          [1, c.pale],
        ]),
      ) +
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
  const flute = linear(
    s,
    [
      [0, c.ink],
      [0.3, c.deep],
      [0.55, c.mid],
      [0.8, c.deep],
      [1, c.ink],
    ],
    '',
  )
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
  return {
    art:
      sky(s, c.mid, c.glow, c.pale) +
      circle(s.fx + 22 * u, foot - 54 * u, 50 * u, c.pop) +
      circle(
        s.fx + 22 * u,
        foot - 54 * u,
        100 * u,
        radial(s, [
          [0.4, c.pale, 0.7],
          [1, c.pale, 0],
        ]),
      ) +
      all +
      poly(
        [
          s.fx - 96 * u,
          foot - tall - 6 * u,
          roof,
          foot - tall - 6 * u,
          roof + 9 * u,
          foot - tall - 13 * u,
          roof - 4 * u,
          foot - tall - 22 * u,
          roof - 22 * u,
          foot - tall - 30 * u,
          s.fx - 96 * u,
          foot - tall - 20 * u,
        ],
        c.ink,
      ) +
      rect(
        0,
        foot,
        s.w,
        h - foot,
        linear(s, [
          [0, c.deep],
          [0.3, c.ink],
          [1, c.ink],
        ]),
      ),
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

/** A sheet of contact prints; one is marked. */
export const contacts: Scene = (s) => {
  const { c, rnd, w, h } = s
  const cw = s.wide ? 74 : 58
  const ch = s.wide ? 52 : 42
  const [columnsCount, rows] = s.wide ? [5, 4] : [3, 4]
  const light = rnd.chance(0.4)
  const views = [
    (x: number, y: number) =>
      circle(x + cw * 0.6, y + ch * 0.42, 9, c.pale) +
      path(
        `M${points([x, y + ch])}V${n(y + ch * 0.7)}l${points([cw * 0.3, -ch * 0.3, cw * 0.3, ch * 0.25, cw * 0.4, -ch * 0.2])}V${n(y + ch)}Z`,
        c.ink,
      ),
    (x: number, y: number) =>
      circle(x + cw / 2, y + ch * 0.4, ch * 0.2, c.ink) +
      path(
        `M${points([x + cw * 0.2, y + ch])}q0-${n(ch * 0.36)} ${n(cw * 0.3)}-${n(ch * 0.36)}t${n(cw * 0.3)} ${n(ch * 0.36)}Z`,
        c.ink,
      ),
    (x: number, y: number) =>
      path(
        `M${points([x, y + ch])}V${n(y + ch * 0.5)}h10v-9h9v15h12V${n(y + ch * 0.24)}h10v20h${n(cw - 41)}V${n(y + ch)}Z`,
        c.ink,
      ),
    (x: number, y: number) =>
      line(
        `M${points([x, y + ch * 0.6])}q${points([cw / 4, -9, cw / 2, 0])}t${n(cw / 2)} 0M${points([x, y + ch * 0.78])}q${points([cw / 4, -9, cw / 2, 0])}t${n(cw / 2)} 0`,
        c.ink,
        3,
      ),
    (x: number, y: number) =>
      poly(
        [
          x + cw * 0.46,
          y + ch * 0.3,
          x + cw * 0.54,
          y + ch * 0.3,
          x + cw * 0.9,
          y + ch,
          x + cw * 0.1,
          y + ch,
        ],
        c.ink,
      ),
  ]
  const tones = [c.mid, c.glow, c.pale, c.deep, c.mid]
  const left = s.wide ? 8 : 9
  let art = fill(s, light ? c.pale : c.ink)
  const chosen = s.wide ? 8 : 4
  for (let i = 0; i < columnsCount * rows; i++) {
    const x = left + (i % columnsCount) * (cw + 4)
    const y = 10 + Math.floor(i / columnsCount) * (ch + 8)
    const tone = i === chosen ? c.pop : rnd.pick(tones)
    art += rect(x, y, cw, ch, tone) + rnd.pick(views.slice(0, tone === c.pale ? 3 : 5))(x, y)
  }
  const strip = Array.from({ length: rows + 1 }, (_, i) => `M0 ${n(6 + i * (ch + 8))}H${w}`).join('')
  const mx = left + (chosen % columnsCount) * (cw + 4) + cw / 2
  const my = 10 + Math.floor(chosen / columnsCount) * (ch + 8) + ch / 2
  const mark = line(
    `M${points([mx - cw * 0.6, my])}C${points([mx - cw * 0.6, my - ch, mx + cw * 0.66, my - ch * 0.8, mx + cw * 0.62, my, mx + cw * 0.6, my + ch * 0.9, mx - cw * 0.6, my + ch * 0.8, mx - cw * 0.52, my - ch * 0.3])}`,
    light ? c.ink : c.pale,
    3,
    'stroke-linecap="round"',
  )
  return {
    art: art + line(strip, light ? c.ink : c.glow, 2, 'stroke-dasharray="3 3.4" opacity=".55"') + mark,
    title: {
      box: [10, 218, 180, 70],
      face: rnd.pick(['grotesk', 'mono', 'condensed'] as const),
      colour: light ? c.ink : c.pale,
      align: 'start',
      closed: true,
      small: onGround(light ? c.pale : c.ink, c.pop, c.glow, c.deep),
      max: 58,
    },
  }
}
