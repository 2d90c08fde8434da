import { onGround } from '../palette.ts'
import { circle, ellipse, group, line, n, path, points } from '../pen.ts'
import { fill, radial, type Scene, scrim, sky } from '../stage.ts'

/** A labyrinth from above; one way, one light. */
export const maze: Scene = (s) => {
  const { c, rnd, w } = s
  const cell = s.wide ? 22 : 18
  const left = s.wide ? w * 0.34 : 10
  const top = s.wide ? 12 : 14
  const columns = s.wide ? 11 : 10
  const rows = s.wide ? 9 : 11
  let walls = ''
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) {
      const north = y > 0 && (x === 0 || rnd.chance(0.5))
      const px = left + x * cell
      const py = top + y * cell
      if (!north && y > 0) walls += `M${points([px, py])}h${cell}`
      if (north && x > 0) walls += `M${points([px, py])}v${cell}`
    }
  const right = left + columns * cell
  const bottom = top + rows * cell
  const frame = `M${points([left + cell, top])}H${n(right)}V${n(bottom - cell)}M${points([right, bottom])}H${n(left)}V${n(top)}`
  const cx = left + cell * (rnd.int(5, columns - 4) + 0.5)
  const cy = top + cell * (rnd.int(3, 6) + 0.5)
  const dark = rnd.chance(0.6)
  const wall = dark ? c.glow : c.ink
  const depth = line(
    walls + frame,
    dark ? c.ink : c.deep,
    5,
    `transform="translate(2.5 3)" opacity="${dark ? 1 : 0.3}" stroke-linecap="square"`,
  )
  return {
    art:
      fill(
        s,
        radial(
          s,
          dark ? `0 ${c.mid}, .7 ${c.deep}, 1 ${c.ink}` : `0 ${c.pale}, 1 ${c.glow}`,
          `cx="${s.wide ? '.68' : '.5'}" cy=".4" r=".8"`,
        ),
      ) +
      depth +
      line(walls + frame, wall, 3.6, 'stroke-linecap="square"') +
      circle(cx, cy, 34, radial(s, `0 ${c.pop} .8, 1 ${c.pop} 0`)) +
      circle(cx, cy, 4.2, c.pop) +
      (dark ? scrim(s, c.ink, 0.74, 0.6) : ''),
    title: {
      box: [12, 224, 176, 64],
      face: rnd.pick(['mono', 'geometric', 'condensed'] as const),
      colour: dark ? c.pale : c.ink,
      caps: true,
      align: 'start',
      closed: true,
      small: dark ? c.glow : onGround(c.glow, c.pop, c.ink),
      max: 48,
    },
  }
}

/** An eye that has seen something. */
export const eye: Scene = (s) => {
  const { c, rnd, h, u } = s
  const r = 38 * u
  const lid = (k: number) =>
    `M${points([-92 * u, 0])}Q${points([0, -78 * u * k, 92 * u, 0])}Q${points([0, 78 * u * k, -92 * u, 0])}Z`
  const spokes = Array.from({ length: 36 }, (_, i) => {
    const a = (i / 36) * 6.283
    const inner = r * (0.42 + rnd.num(0, 0.16))
    return `M${points([Math.cos(a) * inner, Math.sin(a) * inner])}L${points([Math.cos(a) * r * 0.96, Math.sin(a) * r * 0.96])}`
  }).join('')
  const lashes = Array.from({ length: 15 }, (_, i) => {
    const t = i / 14
    const x = (-86 + 172 * t) * u
    const y = -78 * u * 2 * t * (1 - t)
    return `M${points([x, y - 2])}q${points([(t - 0.5) * 10 * u, -12 * u, (t - 0.5) * 44 * u, -30 * u - rnd.num(0, 14) * u])}`
  }).join('')
  const red = rnd.chance(0.5)
  const tear = path(
    `M${points([0, 42 * u])}Q${points([16 * u, h * 0.3, 0, h * 0.34])}Q${points([-16 * u, h * 0.3, 0, 42 * u])}Z`,
    c.pop,
  )
  const inEye =
    path(lid(1), c.pale) +
    circle(0, 0, r, radial(s, `0 ${c.glow}, .6 ${red ? c.pop : c.mid}, 1 ${c.ink}`)) +
    line(spokes, c.ink, 1.1, 'opacity=".7"') +
    circle(0, 0, r * 0.42, c.ink) +
    (rnd.chance(0.5)
      ? circle(0, 0, r * 0.42, 'none', `stroke="${c.pop}" stroke-width="1.2"`)
      : path(`M${points([-2.6, r * 0.34, 2.6, r * 0.34, 1.4, 0, -1.4, 0])}Z`, c.pop)) +
    circle(-r * 0.34, -r * 0.4, r * 0.16, c.pale) +
    line(`M${points([-92 * u, 0])}Q${points([0, -78 * u, 92 * u, 0])}`, c.ink, 5 * u) +
    line(lashes, c.ink, 2.2 * u, 'stroke-linecap="round"')
  return {
    art:
      (red ? sky(s, c.deep, c.mid, c.deep, c.ink) : sky(s, c.mid, c.glow, c.mid, c.ink)) +
      ellipse(s.fx, s.fy, 130 * u, 84 * u, radial(s, `0 ${c.ink} .8, 1 ${c.ink} 0`)) +
      group(`translate(${n(s.fx)} ${n(s.fy)}) rotate(${n(rnd.num(-8, 8))})`, inEye + (red ? tear : '')) +
      scrim(s, c.ink, 0.62, 0.95),
    title: {
      box: red ? [14, 228, 172, 60] : [14, 216, 172, 72],
      closed: red,
      face: rnd.pick(['heavy', 'didone', 'condensed'] as const),
      colour: c.pale,
      caps: true,
      small: c.glow,
      max: 58,
      track: 0.04,
    },
  }
}
