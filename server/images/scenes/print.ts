import { onGround } from '../palette.ts'
import { circle, group, line, n, path, points, rect } from '../pen.ts'
import { fill, pattern, type Scene } from '../stage.ts'

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
