import { onGround } from '../palette.ts'
import { group, n, poly } from '../pen.ts'
import { fill, type Scene, type Stage } from '../stage.ts'

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
