import { onGround } from '../palette.ts'
import { circle, ellipse, group, line, n, path, points, poly, rect } from '../pen.ts'
import { fill, linear, pattern, radial, type Scene, scrim, sky } from '../stage.ts'

/** A stage curtain, a spotlight, one thing in it. */
export const curtain: Scene = (s) => {
  const { c, rnd, w, h, u } = s
  const cloth = rnd.pick([c.pop, c.mid, c.deep])
  const fold = pattern(
    s,
    26 * u,
    h,
    rect(0, 0, 26 * u, h, cloth) +
      rect(
        0,
        0,
        26 * u,
        h,
        linear(
          s,
          [
            [0, c.ink, 0.75],
            [0.4, c.ink, 0.1],
            [0.55, c.ink, 0],
            [1, c.ink, 0.75],
          ],
          '',
        ),
      ),
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
  const thing = rnd.pick([
    line('M0 0V-66M-14 0H14', c.ink, 3) + path('M-5-82a5 5 0 0 1 10 0v14a5 5 0 0 1-10 0Z', c.ink),
    path('M-22-2H22V4H-22ZM-18-4V-48H18V-4Z', c.ink) +
      rect(-18, -16, 36, 7, c.pop) +
      path('M-30-4H30L24 3H-24Z', c.ink),
    path('M-16 2V-58H-12V-28H12V2H8V-22H-12V2ZM-12-28H14V-22H-12Z', c.ink),
    path('M0-8C-26-30-22-54 0-44 22-54 26-30 0-8ZM-3-8-10 2H10L3-8Z', c.pop),
  ])
  return {
    art:
      sky(s, c.ink, c.deep) +
      rect(
        0,
        floor,
        w,
        h - floor,
        linear(s, [
          [0, c.deep],
          [1, c.ink],
        ]),
      ) +
      poly(
        [x - 12, -6, x + 12, -6, x + 62 * u, floor + 14 * u, x - 62 * u, floor + 14 * u],
        linear(s, [
          [0, c.pale, 0.75],
          [1, c.glow, 0.35],
        ]),
      ) +
      ellipse(x, floor + 14 * u, 64 * u, 14 * u, c.glow) +
      group(`translate(${n(x)} ${n(floor + 14 * u)}) scale(${n(1.15 * u)})`, thing) +
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

/** A labyrinth from above; one way, one light. */
export const maze: Scene = (s) => {
  const { c, rnd, w, h } = s
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
          dark
            ? [
                [0, c.mid],
                [0.7, c.deep],
                [1, c.ink],
              ]
            : [
                [0, c.pale],
                [1, c.glow],
              ],
          `cx="${s.wide ? '.68' : '.5'}" cy=".4" r=".8"`,
        ),
      ) +
      depth +
      line(walls + frame, wall, 3.6, 'stroke-linecap="square"') +
      circle(
        cx,
        cy,
        34,
        radial(s, [
          [0, c.pop, 0.8],
          [1, c.pop, 0],
        ]),
      ) +
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
    circle(
      0,
      0,
      r,
      radial(s, [
        [0, c.glow],
        [0.6, red ? c.pop : c.mid],
        [1, c.ink],
      ]),
    ) +
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
      ellipse(
        s.fx,
        s.fy,
        130 * u,
        84 * u,
        radial(s, [
          [0, c.ink, 0.8],
          [1, c.ink, 0],
        ]),
      ) +
      group(`translate(${n(s.fx)} ${n(s.fy)}) rotate(${n(rnd.num(-8, 8))})`, inEye + (red ? tear : '')) +
      scrim(s, c.ink, 0.62, 0.95),
    title: {
      box: [14, 216, 172, 72],
      face: rnd.pick(['heavy', 'didone', 'condensed'] as const),
      colour: c.pale,
      caps: true,
      small: c.glow,
      max: 58,
      track: 0.04,
    },
  }
}

/** Stairs without an end, seen at an angle. */
export const stairs: Scene = (s) => {
  const { c, rnd, w, h, u } = s
  const step = 15 * u
  const flight = (x: number, y: number, count: number, sign: number, width: number) => {
    let out = ''
    for (let i = count - 1; i >= 0; i--) {
      const px = x + sign * i * step * 1.3
      const py = y - i * step
      const dx = -sign * width
      const dy = width * 0.55
      const tread = [
        px,
        py,
        px + sign * step * 1.3,
        py,
        px + sign * step * 1.3 + dx,
        py + dy,
        px + dx,
        py + dy,
      ]
      out +=
        poly(tread, c.glow) +
        poly([px, py, px + dx, py + dy, px + dx, py + dy + step, px, py + step], sign < 0 ? c.mid : c.deep)
    }
    return out
  }
  const x = s.fx
  const round = rnd.chance(0.5)
  const person = group(
    `translate(${n(x - 26 * u)} ${n(s.fy + 29 * u)}) scale(${n(0.8 * u)})`,
    circle(0, -31, 4.5, c.ink) + path('M-5-26H5L7-8H4L3 6H.6L0-8-.6 6H-3L-4-8H-7Z', c.ink),
  )
  const well = Array.from({ length: 9 }, (_, i) => {
    const r = (150 - i * 16.5) * u
    return (
      circle(x + i * 3 * u, s.fy + i * 3 * u, r, [c.ink, c.deep, c.mid, c.deep][i % 4]!) +
      circle(
        x + i * 3 * u,
        s.fy + i * 3 * u,
        r,
        'none',
        `stroke="${c.glow}" stroke-width="${n(3.4 - i * 0.25)}" stroke-dasharray="${n(r * 0.09)} ${n(r * 0.035)}"`,
      )
    )
  }).join('')
  const drawn = round
    ? well +
      circle(x + 26 * u, s.fy + 26 * u, 13 * u, c.pale) +
      circle(
        x + 26 * u,
        s.fy + 26 * u,
        40 * u,
        radial(s, [
          [0, c.pale, 0.7],
          [1, c.pale, 0],
        ]),
      )
    : flight(x - 110 * u, s.fy + 96 * u, 10, 1, 46 * u) +
      rect(x + 39 * u, s.fy - 76 * u, 27 * u, 52 * u, c.pop) +
      circle(x + 61 * u, s.fy - 48 * u, 2 * u, c.glow) +
      flight(x + 118 * u, s.fy + 50 * u, 5, -1, 40 * u) +
      flight(x - 8 * u, s.fy - 50 * u, 6, -1, 36 * u) +
      person
  return {
    art:
      sky(s, round ? c.ink : c.pale, round ? c.ink : c.glow) +
      drawn +
      rect(
        0,
        h * 0.68,
        w,
        h * 0.33,
        linear(s, [
          [0, c.ink, 0],
          [0.35, c.ink, 0.95],
          [1, c.ink],
        ]),
      ),
    title: {
      box: [14, 222, 172, 66],
      face: rnd.pick(['geometric', 'didone', 'grotesk'] as const),
      colour: c.pale,
      caps: true,
      track: 0.08,
      small: c.glow,
      max: 48,
    },
  }
}
