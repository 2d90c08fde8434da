import { onGround } from '../palette.ts'
import { circle, group, line, n, path, points, poly, rect } from '../pen.ts'
import { fill, pattern, type Scene, type Stage } from '../stage.ts'

const jag = (s: Stage, by: number) => s.rnd.num(-by, by)

/** A rectangle somebody cut with scissors. */
const slab = (s: Stage, x: number, y: number, w: number, h: number, paint: string) =>
  poly(
    [
      x + jag(s, 6),
      y + jag(s, 6),
      x + w + jag(s, 6),
      y + jag(s, 6),
      x + w + jag(s, 6),
      y + h + jag(s, 6),
      x + jag(s, 6),
      y + h + jag(s, 6),
    ],
    paint,
  )

const figures = [
  // falling
  '<path d="M-8-62-2-70 9-67 12-56 3-49-7-53ZM-12-46 14-48 19-4-14 2-18-20ZM-17-42-44-66-58-62-54-56-46-58-20-28ZM18-44 46-26 62-40 66-32 47-14 17-30ZM-13 6 4 4 2 34-22 62-34 58-12 30ZM8 3 20 0 30 30 56 46 50 56 20 40Z"/>',
  // hand
  '<path d="M-26 78-30 18-44-4-36-12-22 2-24-46-14-48-8-6-6-60 5-60 7-6 14-52 24-50 21 0 32-32 41-28 34 14 26 40 28 80Z"/>',
  // knife
  '<path d="M-4-84Q18-50 12 8L-10 4Z"/><path d="M-18 6 20 13 18 21-19 14ZM-8 18 9 21 4 74-14 70Z"/>',
  // bird
  '<path d="M-66-14-20-22Q-4-58 30-66L22-26Q44-20 52-6L72 0 50 8Q34 34-4 34L-30 64-26 28Q-40 10-66-14Z"/>',
  // bottle and glass
  '<path d="M-34 74V-14L-22-34V-72H-6V-34L6-14V74ZM20 74V68H34V38L16 6H64L44 38V68H58V74Z"/>',
] as const

/** Cut paper, two colours and black: a crooked world with one figure. */
export const cutout: Scene = (s) => {
  const { c, rnd, w, h, u } = s
  const [ground, piece] = rnd.pick([
    [c.pop, c.ink],
    [c.glow, c.pop],
    [c.pale, c.pop],
  ] as const)
  const many = rnd.chance(0.5)
  const x = s.fx
  const y = h * (s.wide ? 0.5 : 0.4)
  const rays = Array.from({ length: 7 }, (_, i) => {
    const a = (i / 7) * 6.283 + rnd.num(0, 0.5)
    const spread = rnd.num(0.1, 0.24)
    return poly(
      [
        x,
        y,
        x + Math.cos(a - spread) * 330,
        y + Math.sin(a - spread) * 330,
        x + Math.cos(a + spread) * 330,
        y + Math.sin(a + spread) * 330,
      ],
      piece,
    )
  }).join('')
  const behind = many
    ? rays
    : slab(s, x - 62 * u, -10, 120 * u, h * 0.62, piece) + slab(s, x - 92 * u, h * 0.34, 30 * u, h, piece)
  const shape = rnd.pick(figures)
  const figure = group(
    `translate(${n(x)} ${n(y)}) rotate(${n(shape === figures[0] ? rnd.num(110, 170) : rnd.num(-18, 18))}) scale(${n(1.12 * u)})`,
    shape,
    `fill="${piece === c.ink ? c.pale : c.ink}"`,
  )
  const halo = many ? slab(s, x - 66 * u, y - 80 * u, 132 * u, 160 * u, ground) : ''
  return {
    art:
      fill(s, ground) +
      behind +
      halo +
      figure +
      (s.wide ? '' : slab(s, -12, h * 0.7, w + 24, h * 0.4, c.ink)),
    title: {
      box: [14, 222, 172, 66],
      face: rnd.pick(['heavy', 'condensed'] as const),
      colour: onGround(c.ink, ground, c.pale),
      closed: true,
      caps: true,
      mode: 'stack',
      small: c.pale,
      max: 58,
      align: 'start',
      rotate: -2,
    },
  }
}

/** Swiss school: one diagonal, one disc, big letters on the slant. */
export const swiss: Scene = (s) => {
  const { c, rnd, w, h, u } = s
  const [ground, first, second] = rnd.pick([
    [c.pop, c.ink, c.pale],
    [c.pale, c.pop, c.ink],
    [c.ink, c.pop, c.glow],
    [c.glow, c.ink, c.pop],
  ] as const)
  const bars = [0, 1, 2, 3, 4]
    .map((i) =>
      rect(-80 + i * 16, -190 + i * 30 + rnd.num(-4, 4), 420, [26, 13, 8, 4, 2][i]!, i % 2 ? second : first),
    )
    .join('')
  const disc = circle(s.fx + 34 * u, s.fy - 30 * u, rnd.num(44, 56) * u, first)
  const dotsFill = pattern(s, 7, 7, circle(3.5, 3.5, 2.1, second))
  return {
    art:
      fill(s, ground) +
      disc +
      circle(s.fx - 22 * u, s.fy + 22 * u, 50 * u, dotsFill) +
      group(`translate(${n(s.wide ? w * 0.56 : w * 0.2)} ${n(h * 0.72)}) rotate(-24)`, bars),
    title: {
      box: [18, 168, 164, 84],
      face: 'grotesk',
      colour: onGround(ground, ground === c.pop ? c.pale : c.ink, c.ink, c.pale),
      align: 'start',
      rotate: -24,
      max: 58,
      mode: 'block',
      valign: 'middle',
      small: onGround(ground, c.ink, c.glow, c.pale),
    },
  }
}

/** Bauhaus: a quilt of quarter circles. */
export const tiles: Scene = (s) => {
  const { c, rnd, w, h } = s
  const size = s.wide ? 57 : 40
  const rows = s.wide ? 4 : 5
  const colours = [c.pop, c.glow, c.pale, c.mid, c.deep, c.ink]
  const shapes = [
    (t: string, p: string) => path(`M0 0H${size}A${size} ${size} 0 0 1 0 ${size}Z`, p, t),
    (t: string, p: string) => path(`M0 0H${size}A${size / 2} ${size / 2} 0 0 1 0 0Z`, p, t),
    (t: string, p: string) => path(`M0 0H${size}L0 ${size}Z`, p, t),
  ]
  let art = fill(s, c.pale)
  for (let y = 0; y < rows; y++)
    for (let x = 0; x * size < w; x++) {
      const back = rnd.pick(colours)
      const front = rnd.pick(colours.filter((colour) => colour !== back))
      const middle = `${n(x * size + size / 2)} ${n(y * size + size / 2)}`
      art += rect(x * size, y * size, size + 0.3, size + 0.3, back)
      const turn = `transform="translate(${middle}) rotate(${rnd.int(0, 3) * 90}) translate(${-size / 2} ${-size / 2})"`
      art += rnd.chance(0.18)
        ? circle(x * size + size / 2, y * size + size / 2, size * 0.3, front)
        : rnd.pick(shapes)(turn, front)
    }
  return {
    art: s.wide ? art : art + rect(0, 200, w, h - 200, c.pale),
    title: {
      box: [14, 208, 172, 80],
      face: rnd.pick(['geometric', 'grotesk'] as const),
      colour: c.ink,
      align: 'start',
      valign: 'middle',
      small: onGround(c.pale, c.pop, c.deep),
      max: 60,
    },
  }
}

/** Loud shapes on a loud ground; comedy without a face. */
export const memphis: Scene = (s) => {
  const { c, rnd, u } = s
  const ground = rnd.pick([c.glow, c.mid, c.pop])
  const other = ground === c.pop ? c.glow : c.pop
  const x = s.fx
  const y = s.fy - 4
  const face = rnd.pick([
    // glasses, nose and moustache
    circle(-30, -14, 24, c.pale, `stroke="${c.ink}" stroke-width="9"`) +
      circle(30, -14, 24, c.pale, `stroke="${c.ink}" stroke-width="9"`) +
      path('M-8-20Q0-28 8-20', 'none', `stroke="${c.ink}" stroke-width="7"`) +
      circle(-24, -10, 9, c.ink) +
      circle(36, -10, 9, c.ink) +
      path('M-2-4Q-20 34 0 34T8-4Z', other) +
      path(
        'M0 36Q-14 24-36 40-50 48-62 40-50 66-28 60-8 56 0 46 8 56 28 60 50 66 62 40 50 48 36 40 14 24 0 36Z',
        c.ink,
      ),
    // a wide smile
    path('M-58-8H58A58 58 0 0 1-58-8Z', c.ink) +
      path('M-50-8H50V6H-50Z', c.pale) +
      ellipseTongue(other) +
      circle(-30, -44, 13, c.ink) +
      circle(30, -44, 13, c.ink) +
      path(
        'M-52-66Q-34-82-14-66M16-74Q36-86 52-68',
        'none',
        `stroke="${c.ink}" stroke-width="8" stroke-linecap="round"`,
      ),
    // top hat and bow tie
    path('M-34-62H34L30-6H-30ZM-58-6H58V8H-58Z', c.ink) +
      rect(-32, -20, 64, 14, other) +
      path('M0 46-44 24V70ZM0 46 44 24V70Z', other) +
      circle(0, 47, 10, c.ink),
    // banana skin
    path(
      'M-4-64Q8-66 8-58L14-26Q60-12 64 34 44 14 20 8 30 40 12 66 2 34-6 10-26 22-62 30-50-14-10-26Z',
      c.pale,
      `stroke="${c.ink}" stroke-width="6" stroke-linejoin="round"`,
    ),
  ])
  const bits = Array.from({ length: 16 }, () => {
    const at = `translate(${n(rnd.num(0, s.w))} ${n(rnd.num(0, s.h * (s.wide ? 1 : 0.6)))}) rotate(${rnd.int(0, 180)})`
    return group(
      at,
      rnd.pick([
        rect(-7, -2, 14, 4, c.pale),
        line('M-12 0l6-6 6 6 6-6 6 6', c.ink, 2.5),
        circle(0, 0, 4, other),
        path('M0-7 7 6H-7Z', c.deep),
      ]),
    )
  }).join('')
  return {
    art:
      fill(s, ground) +
      bits +
      circle(x, y, 88 * u, ground) +
      group(`translate(${n(x)} ${n(y)}) rotate(${n(rnd.num(-9, 9))}) scale(${n(1.05 * u)})`, face),
    title: {
      box: [12, 208, 176, 80],
      face: rnd.pick(['heavy', 'geometric', 'grotesk'] as const),
      colour: onGround(ground, c.ink, c.pale),
      fat: true,
      small: onGround(ground, c.ink, c.pale),
      max: 60,
    },
  }
}

const ellipseTongue = (paint: string) => path('M-30 34Q0 8 30 34 16 50 0 50T-30 34Z', paint)

/** Rings that draw the eye in: a reel, a record, a target, a spiral. */
export const rings: Scene = (s) => {
  const { c, rnd, u } = s
  const dark = rnd.chance(0.5)
  const ground = dark ? c.ink : c.pop
  const r = 84 * u
  const kind = rnd.int(0, 2)
  const at = (inner: string) => group(`translate(${n(s.fx)} ${n(s.fy)}) rotate(${rnd.int(0, 71)})`, inner)
  const target = Array.from({ length: 7 }, (_, i) =>
    circle(
      i * 2.2 * u,
      i * 1.4 * u,
      r * (1 - i / 7),
      i % 2 ? ground : dark ? [c.pop, c.glow, c.pale, c.pop][i / 2]! : c.ink,
    ),
  ).join('')
  const holes = Array.from({ length: 5 }, (_, i) =>
    circle(Math.cos(i * 1.257) * r * 0.56, Math.sin(i * 1.257) * r * 0.56, r * 0.25, ground),
  ).join('')
  const reel =
    circle(0, 0, r, dark ? c.pop : c.ink) +
    circle(0, 0, r * 0.9, 'none', `stroke="${c.pale}" stroke-width="1.5"`) +
    holes +
    circle(0, 0, r * 0.14, ground) +
    line(`M${points([0, r])}Q${points([r * 1.6, r, r * 2.6, r * 0.4])}`, dark ? c.pop : c.ink, 9 * u)
  const turns = Array.from(
    { length: 13 },
    (_, i) => `<ellipse rx="${n(r)}" ry="${n(r * 0.36)}" transform="rotate(${n(i * 13.85)})"/>`,
  ).join('')
  const spiral = `<g fill="none" stroke="${dark ? c.glow : c.pale}" stroke-width="1.3">${turns}</g>${circle(0, 0, 6 * u, dark ? c.pop : c.ink)}`
  return {
    art: fill(s, ground) + at([target, reel, spiral][kind]!),
    title: {
      box: [14, 214, 172, 74],
      face: rnd.pick(['condensed', 'grotesk', 'didone'] as const),
      colour: onGround(ground, c.pale, c.ink),
      caps: true,
      closed: true,
      small: dark ? c.glow : c.ink,
      max: 56,
    },
  }
}
