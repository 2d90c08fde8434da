import { onGround } from '../palette.ts'
import { circle, ellipse, group, line, n, path, points, poly, rect } from '../pen.ts'
import { fill, linear, pattern, type Scene, type Stage, sky } from '../stage.ts'

const masks = ({ c }: Stage, other: string): string[] => [
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
    path('M-30 34Q0 8 30 34 16 50 0 50T-30 34Z', other) +
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
]

/** Loud shapes on a loud ground; comedy without a face. */
export const memphis: Scene = (s) => {
  const { c, rnd, u } = s
  const ground = rnd.pick([c.glow, c.mid, c.pop])
  const other = ground === c.pop ? c.glow : c.pop
  const x = s.fx
  const y = s.fy - 4
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
      group(
        `translate(${n(x)} ${n(y)}) rotate(${n(rnd.num(-9, 9))}) scale(${n(1.05 * u)})`,
        rnd.pick(masks(s, other)),
      ),
    title: {
      box: [12, 208, 176, 80],
      face: rnd.pick(['heavy', 'geometric', 'grotesk'] as const),
      colour: onGround(ground, c.ink, c.pale),
      fat: true,
      small: onGround(ground, c.ink, c.pale),
      max: 60,
      closed: true,
    },
  }
}

/** A microphone, a hat, a chair, a heart; feet at 0 0. */
const acts = ({ c }: Stage): string[] => [
  line('M0 0V-66M-14 0H14', c.ink, 3) + path('M-5-82a5 5 0 0 1 10 0v14a5 5 0 0 1-10 0Z', c.ink),
  path('M-22-2H22V4H-22ZM-18-4V-48H18V-4Z', c.ink) +
    rect(-18, -16, 36, 7, c.pop) +
    path('M-30-4H30L24 3H-24Z', c.ink),
  path('M-16 2V-58H-12V-28H12V2H8V-22H-12V2ZM-12-28H14V-22H-12Z', c.ink),
  path('M0-8C-26-30-22-54 0-44 22-54 26-30 0-8ZM-3-8-10 2H10L3-8Z', c.pop),
]

/** A stage curtain, a spotlight, one thing in it. */
export const curtain: Scene = (s) => {
  const { c, rnd, w, h, u } = s
  const cloth = rnd.pick([c.pop, c.mid, c.deep])
  const fold = pattern(
    s,
    26 * u,
    h,
    rect(0, 0, 26 * u, h, cloth) +
      rect(0, 0, 26 * u, h, linear(s, `0 ${c.ink} .75, .4 ${c.ink} .1, .55 ${c.ink} 0, 1 ${c.ink} .75`, '')),
  )
  const floor = h * (s.wide ? 0.74 : 0.66)
  const x = s.fx
  const reach = s.wide ? 100 : 58
  const side = (sign: number) => {
    const edge = sign < 0 ? 0 : w
    const near = s.wide && sign < 0 ? x - reach * 1.5 : sign < 0 ? w * 0.2 : s.wide ? w * 0.92 : w * 0.8
    return path(
      `M${edge}-4H${n(x)}C${points([x + sign * 10, h * 0.3, near, h * 0.36, near + sign * 6, floor + 16])}H${edge}Z`,
      fold,
    )
  }
  const swag = Array.from({ length: s.wide ? 6 : 4 }, (_, i) =>
    ellipse(
      (i + 0.5) * (w / (s.wide ? 6 : 4)),
      0,
      w / (s.wide ? 11 : 7),
      34 * u,
      fold,
      `stroke="${c.glow}" stroke-width="2.4"`,
    ),
  ).join('')
  return {
    art:
      sky(s, c.ink, c.deep) +
      rect(0, floor, w, h - floor, linear(s, `0 ${c.deep}, 1 ${c.ink}`)) +
      poly(
        [x - 12, -6, x + 12, -6, x + 62 * u, floor + 14 * u, x - 62 * u, floor + 14 * u],
        linear(s, `0 ${c.pale} .75, 1 ${c.glow} .35`),
      ) +
      ellipse(x, floor + 14 * u, 64 * u, 14 * u, c.glow) +
      group(`translate(${n(x)} ${n(floor + 14 * u)}) scale(${n(1.15 * u)})`, rnd.pick(acts(s))) +
      side(-1) +
      side(1) +
      swag,
    title: {
      box: [14, 226, 172, 62],
      face: rnd.pick(['heavy', 'slab', 'script'] as const),
      colour: c.glow,
      closed: true,
      small: c.pale,
      max: 58,
    },
  }
}
