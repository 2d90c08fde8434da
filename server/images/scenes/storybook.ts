import { circle, dots, group, line, n, path, points, poly, rect } from '../pen.ts'
import { linear, type Scene, scrim, sky } from '../stage.ts'
import { stars } from './cosmos.ts'

/** A castle on a rock above clouds. */
export const castle: Scene = (s) => {
  const { c, rnd, w, h, u } = s
  const tower = (x: number, half: number, top: number, roof: number) =>
    `M${points([x - half, 10])}V${n(-top)}h${n(-half * 0.3)}L${points([x, -top - roof, x + half * 1.3, -top])}h${n(-half * 0.3)}V10Z`
  const keep = `${tower(0, 8, rnd.num(62, 76), 32) + tower(-17, 6, 40, 24) + tower(18, 6.5, rnd.num(44, 54), 26) + tower(-31, 5, rnd.num(18, 30), 20) + tower(32, 4.5, 20, 18)}M-38 12V-14H38V12Z`
  const lit = dots(
    [
      [0, -50],
      [0, -36],
      [-17, -28],
      [18, -34],
      [-6, -4],
      [8, -4],
      [-31, -10],
    ],
    c.glow,
    3.2,
  )
  const rock = `M-60 8Q-20 0 0 8T60 6Q54 30 34 42T14 92L4 128-6 100Q-30 70-38 44T-60 8Z`
  const cloud = (x: number, y: number, k: number, paint: string, more = '') =>
    group(
      `translate(${n(x)} ${n(y)}) scale(${n(k)})`,
      path('M-80 16Q-84 0-62 0-56-20-32-14-18-34 6-22 30-34 40-12 66-14 66 2 86 4 80 16Z', paint),
      more,
    )
  const y = s.fy + (s.wide ? 8 : 20)
  return {
    art:
      sky(s, c.deep, c.mid, c.glow, c.pale) +
      stars(s, 24) +
      circle(s.fx + 30 * u, y - 50 * u, 54 * u, c.pale, 'opacity=".85"') +
      cloud(w * 0.12, h * 0.46, 0.7 * u, c.pale, 'opacity=".5"') +
      cloud(w * 0.95, h * 0.34, 0.6 * u, c.pale, 'opacity=".45"') +
      group(
        `translate(${n(s.fx)} ${n(y)}) scale(${n(u)})`,
        path(rock, linear(s, `0 ${c.deep}, 1 ${c.mid}`)) + path(keep, c.ink) + lit,
      ) +
      cloud(s.fx - 60 * u, y + 66 * u, 0.8 * u, c.glow) +
      cloud(s.fx + 66 * u, y + 84 * u, 0.9 * u, c.pale) +
      cloud(s.fx - 30 * u, y + 136 * u, 1.7 * u, c.mid) +
      scrim(s, c.deep, 0.54, 1),
    title: {
      box: [14, 208, 172, 80],
      face: rnd.pick(['oldstyle', 'didone', 'script'] as const),
      colour: c.pale,
      small: c.glow,
      max: 58,
    },
  }
}

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
      hill(base, 40 * u, linear(s, `0 ${c.glow}, 1 ${c.mid}`)) +
      house +
      tree(hx + 36 * u, base + 8 * u, 1.1 * u) +
      tree(hx - 40 * u, base + 20 * u, 0.8 * u) +
      hill(base + 42 * u, 34 * u, c.mid) +
      tree(w * 0.12, base + 36 * u, 1.3 * u) +
      hill(base + 66 * u, 22 * u, linear(s, `0 ${c.deep}, 1 ${c.ink}`)),
    title: {
      box: [12, 206, 176, 84],
      face: rnd.pick(['geometric', 'heavy', 'grotesk'] as const),
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
      linear(s, `0 ${c.deep}, 1 ${c.ink}`),
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
