import { onGround } from '../palette.ts'
import { circle, group, line, n, path, points, rect } from '../pen.ts'
import { fill, pattern, type Scene, type Stage } from '../stage.ts'

interface Print {
  readonly art: string
  /** Degrees the letters rise. */
  readonly steep: number
}

/** Bars on a slant, a disc, a screen of dots. */
function slant(s: Stage, first: string, second: string): Print {
  const { rnd, w, h, u } = s
  const bar = (i: number) =>
    rect(-80 + i * 16, -190 + i * 30 + rnd.num(-4, 4), 420, [26, 13, 8, 4, 2][i]!, i % 2 ? second : first)
  const at = `translate(${n(s.wide ? w * 0.56 : w * 0.2)} ${n(h * 0.72)}) rotate(-24)`
  const screen = pattern(s, 7, 7, circle(3.5, 3.5, 2.1, second))
  return {
    art:
      circle(s.fx + 34 * u, s.fy - 30 * u, rnd.num(44, 56) * u, first) +
      circle(s.fx - 22 * u, s.fy + 22 * u, 50 * u, screen) +
      group(at, [0, 1, 2, 3, 4].map(bar).join('')),
    steep: 24,
  }
}

/** Half discs stacked like type in a case. */
function blocks(s: Stage, first: string, second: string): Print {
  const { rnd, u } = s
  const r = 32 * u
  const half = (i: number) => {
    const x = s.fx + ((i % 2) - 0.5) * r * 2
    const y = s.fy - 22 * u + (Math.floor(i / 2) - 1) * r * 2
    const turn = `transform="rotate(${rnd.int(0, 3) * 90} ${points([x, y])})"`
    return path(
      `M${points([x - r, y])}A${points([r, r])} 0 0 1 ${points([x + r, y])}Z`,
      i % 3 ? first : second,
      turn,
    )
  }
  const rule = rect(s.fx - r * 2, s.fy - 22 * u + r * 2.6, r * 4, 5 * u, first)
  return { art: Array.from({ length: 6 }, (_, i) => half(i)).join('') + rule, steep: 0 }
}

/** Quarter rings that swing out of a corner. */
function arcs(s: Stage, first: string, second: string): Print {
  const { w, rnd, u } = s
  const ring = (i: number) =>
    circle(
      w,
      0,
      (200 - i * 30) * u,
      'none',
      `stroke="${i % 3 === 1 ? second : first}" stroke-width="${n((i % 2 ? 6 : 17) * u)}"`,
    )
  const ball = circle(s.fx - rnd.num(20, 44) * u, s.fy + rnd.num(30, 44) * u, 17 * u, second)
  return { art: Array.from({ length: 6 }, (_, i) => ring(i)).join('') + ball, steep: rnd.pick([0, 6]) }
}

/** Swiss school: one diagonal, one disc, big letters on the slant. */
export const swiss: Scene = (s) => {
  const { c, rnd } = s
  const [ground, first, second] = rnd.pick([
    [c.pop, c.ink, c.pale],
    [c.pale, c.pop, c.ink],
    [c.ink, c.pop, c.glow],
    [c.glow, c.ink, c.pop],
  ] as const)
  const { art, steep } = rnd.pick([slant, blocks, arcs])(s, first, second)
  return {
    art: fill(s, ground) + art,
    title: {
      box: steep > 20 ? [22, 186, 156, 70] : [16, 206, 168, 80],
      face: 'grotesk',
      colour: onGround(ground, ground === c.pop ? c.pale : c.ink, c.ink, c.pale),
      align: 'start',
      rotate: -steep,
      max: 58,
      mode: 'block',
      valign: steep > 20 ? 'middle' : 'bottom',
      closed: true,
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
  const half = size / 2
  // From the corner of a tile: a quarter disc, a half disc, a triangle.
  const shapes = [
    `h${size}a${size} ${size} 0 0 1-${size} ${size}z`,
    `h${size}a${half} ${half} 0 0 1-${size} 0z`,
    `h${size}l-${size} ${size}z`,
  ]
  let art = fill(s, c.pale)
  for (let row = 0; row < rows; row++)
    for (let column = 0; column * size < w; column++) {
      const [x, y] = [column * size, row * size]
      const back = rnd.pick(colours)
      const front = rnd.pick(colours.filter((colour) => colour !== back))
      const turn = rnd.int(0, 3) * 90
      const turned = turn ? `transform="rotate(${turn} ${n(x + half)} ${n(y + half)})"` : ''
      if (back !== c.pale) art += rect(x, y, size + 0.3, size + 0.3, back)
      art += rnd.chance(0.18)
        ? circle(x + half, y + half, size * 0.3, front)
        : path(`M${points([x, y])}${rnd.pick(shapes)}`, front, turned)
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
