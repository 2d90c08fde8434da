import { circle, ellipse, group, line, n, path, points, poly, rect } from '../pen.ts'
import { fill, linear, pattern, radial, type Scene, type Stage, scrim, sky } from '../stage.ts'

/** One row of roofs as a path down to the bottom edge. */
function roofs(s: Stage, base: number, low: number, high: number, step: number): string {
  let d = `M0 ${n(s.h)}V${n(base)}`
  for (let x = 0; x < s.w; ) {
    const width = s.rnd.num(step * 0.6, step * 1.4)
    const top = base - s.rnd.num(low, high)
    d += `V${n(top)}`
    if (s.rnd.chance(0.22)) {
      const mast = x + width / 2
      d += `H${n(mast - 1)}V${n(top - high * 0.3)}H${n(mast + 1)}V${n(top)}`
    } else if (s.rnd.chance(0.2)) d += `l${n(width / 2)} ${n(-width * 0.5)}l${n(width / 2)} ${n(width * 0.5)}`
    x += width
    d += `H${n(x)}`
  }
  return `${d}V${n(s.h)}Z`
}

/** A city at night: moon, searchlights, three rows of roofs in haze, lit windows. */
export const skyline: Scene = (s) => {
  const { c, rnd, w, h, u } = s
  const moon = rnd.num(46, 62) * u
  const my = s.fy * (s.wide ? 0.95 : 0.82)
  const beam = linear(
    s,
    [
      [0, c.pale, 0.55],
      [1, c.pale, 0],
    ],
    'y1="1" x2="0" y2="0"',
  )
  const light = (x: number, lean: number) =>
    poly([x - 2, h * 0.72, x + 2, h * 0.72, x + lean + 26, 0, x + lean - 22, 0], beam)
  const base = h * (s.wide ? 0.82 : 0.7)
  const panes = pattern(s, 9, 12, rect(1.5, 2, 2.6, 4, c.glow) + rect(5.8, 8, 2, 2.6, c.glow, 'opacity=".6"'))
  const front = roofs(s, base + 18 * u, 20 * u, 92 * u, 30 * u)
  const fog = linear(s, [
    [0, c.mid, 0],
    [1, c.mid, 0.75],
  ])
  return {
    art:
      sky(s, c.ink, c.deep, c.mid, c.glow) +
      circle(
        s.fx,
        my,
        moon * 2.1,
        radial(s, [
          [0, c.glow, 0.6],
          [1, c.glow, 0],
        ]),
      ) +
      circle(
        s.fx,
        my,
        moon,
        linear(s, [
          [0, c.pale],
          [1, c.glow],
        ]),
      ) +
      light(w * 0.2, w * 0.16) +
      light(w * 0.84, -w * rnd.num(0.1, 0.3)) +
      path(roofs(s, base - 20 * u, 10 * u, 70 * u, 22 * u), c.mid, 'opacity=".75"') +
      path(roofs(s, base, 10 * u, 84 * u, 26 * u), c.deep) +
      rect(0, base - 70 * u, w, 90 * u, fog) +
      path(front, c.ink) +
      path(front, panes, 'opacity=".75"') +
      scrim(s, c.ink, 0.62, 1),
    title: {
      box: [14, 196, 172, 90],
      face: rnd.pick(['condensed', 'heavy', 'didone'] as const),
      colour: c.pale,
      caps: true,
      small: c.glow,
      max: 58,
    },
  }
}

/** A road to the sun between telegraph poles. */
export const road: Scene = (s) => {
  const { c, rnd, w, h, u } = s
  const y = h * (s.wide ? 0.56 : 0.62)
  const x = s.fx + (s.wide ? 0 : rnd.num(-18, 18))
  const r = rnd.num(50, 64) * u
  const stripes = Array.from({ length: 4 }, (_, i) =>
    rect(x - r, y - r * (0.12 + i * 0.2), r * 2, 1 + (4 - i) * 1.1, c.glow, 'opacity=".55"'),
  ).join('')
  const spread = w * (s.wide ? 0.34 : 0.5)
  const dash = [0.05, 0.13, 0.26, 0.46, 0.74]
  const dashes = dash.map((k) => {
    const at = y + (h - y) * k
    const long = (h - y) * k * 0.42
    return poly([x - k * 2.4, at, x + k * 2.4, at, x + k * 4, at + long, x - k * 4, at + long], c.glow)
  })
  const pole = (k: number) => {
    const px = x + (k * spread + 6) * 1.5
    const top = y - 14 - k * 130 * u
    return `M${points([px, y + k * (h - y) * 0.5])}L${points([px, top])}M${points([px - 4 - k * 16, top + 3 + k * 8])}h${n(8 + k * 32)}`
  }
  const poles = [0.06, 0.16, 0.34, 0.66].map((k) => line(pole(k), c.ink, 0.7 + k * 4)).join('')
  return {
    art:
      fill(
        s,
        linear(s, [
          [0, c.ink],
          [0.24, c.deep],
          [0.42, c.mid],
          [0.54, c.glow],
          [0.63, c.pale],
        ]),
      ) +
      circle(x, y, r, c.pop) +
      stripes +
      path(
        `M0 ${n(y)}V${n(y - 16 * u)}q${points([w * 0.2, -30 * u, w * 0.42, 4])}T${points([w * 0.8, y - 14 * u])}T${points([w, y - 22 * u])}V${n(y)}Z`,
        c.mid,
      ) +
      rect(
        0,
        y,
        w,
        h - y,
        linear(s, [
          [0, c.mid],
          [0.25, c.deep],
          [1, c.ink],
        ]),
      ) +
      poly(
        [x - 1.5, y, x + 1.5, y, x + spread, h, x - spread, h],
        linear(s, [
          [0, c.deep],
          [1, c.ink],
        ]),
      ) +
      line(
        `M${points([x - 1.5, y])}L${points([x - spread * 0.9, h])}M${points([x + 1.5, y])}L${points([x + spread * 0.9, h])}`,
        c.pale,
        1.2,
        'opacity=".7"',
      ) +
      dashes.join('') +
      poles,
    title: {
      box: [16, 20, 168, 96],
      face: rnd.pick(['condensed', 'geometric', 'slab'] as const),
      colour: c.pale,
      caps: true,
      valign: 'top',
      small: c.pale,
      max: 58,
    },
  }
}

/** An open door in a dark wall; its light falls on somebody. */
export const doorway: Scene = (s) => {
  const { c, rnd, h, u } = s
  const x = s.fx + (s.wide ? 20 : rnd.num(-30, 30))
  const half = 21 * u
  const top = h * (s.wide ? 0.16 : 0.2)
  const foot = h * (s.wide ? 0.68 : 0.62)
  const lean = s.wide ? -90 : rnd.pick([-46, 46])
  const m = 1.15 * u
  const person =
    circle(0, -33, 4.4, c.ink) + path('M-5-28Q0-31 5-28L7-12H4.5L4 0H.8L0-12-.8 0H-4L-4.5-12H-7Z', c.ink)
  const at = (t: number) => `translate(${n(x + lean * t)} ${n(foot + (h - foot) * t * 0.7)}) scale(${n(m)})`
  const shadow = group(`${at(0.12)} skewX(${lean < 0 ? 32 : -32}) scale(1 -2.2)`, person, 'opacity=".55"')
  return {
    art:
      fill(
        s,
        linear(s, [
          [0, c.ink],
          [0.62, c.deep],
          [0.63, c.ink],
          [1, c.ink],
        ]),
      ) +
      ellipse(
        x,
        (top + foot) / 2,
        half * 5,
        (foot - top) * 0.8,
        radial(s, [
          [0, c.pop, 0.5],
          [1, c.pop, 0],
        ]),
      ) +
      rect(
        x - half,
        top,
        half * 2,
        foot - top,
        linear(s, [
          [0, c.pale],
          [1, c.glow],
        ]),
      ) +
      poly(
        [x - half, foot, x + half, foot, x + half * 2.6 + lean, h, x - half * 2.6 + lean, h],
        linear(s, [
          [0, c.glow, 0.95],
          [1, c.pop, 0.1],
        ]),
      ) +
      poly(
        [x + half, top, x + half + 15 * u, top - 9 * u, x + half + 15 * u, foot + 10 * u, x + half, foot],
        c.mid,
      ) +
      shadow +
      group(at(0.12), person),
    title: {
      box: [16, 222, 168, 66],
      face: rnd.pick(['geometric', 'didone', 'condensed'] as const),
      colour: c.pale,
      caps: true,
      track: 0.06,
      small: c.glow,
      max: 48,
    },
  }
}

/** A grid that runs to a sliced sun. */
export const neon: Scene = (s) => {
  const { c, rnd, w, h, u } = s
  const y = h * (s.wide ? 0.62 : 0.6)
  const r = 66 * u
  const bars = Array.from({ length: 6 }, (_, i) =>
    rect(s.fx - r, y - 4 - i * r * 0.17, r * 2, (7 - i) * u, c.deep),
  ).join('')
  const across = Array.from({ length: 9 }, (_, i) => `M0 ${n(y + (h - y) * (i / 8) ** 2.1)}H${w}`).join('')
  const along = Array.from(
    { length: 17 },
    (_, i) => `M${points([s.fx + (i - 8) * 7, y])}L${points([s.fx + (i - 8) * 62, h])}`,
  ).join('')
  const peak = (x: number, k: number) =>
    `M${points([x - k, y])}l${points([k * 0.5, -k * 0.5, k * 0.18, k * 0.2, k * 0.34, -k * 0.42, k, k * 0.72])}Z`
  return {
    art:
      sky(s, c.ink, c.deep, c.mid) +
      circle(
        s.fx,
        y - r * 0.7,
        r * 1.9,
        radial(s, [
          [0, c.pop, 0.55],
          [1, c.pop, 0],
        ]),
      ) +
      circle(
        s.fx,
        y - r * 0.7,
        r,
        linear(s, [
          [0, c.pale],
          [0.45, c.glow],
          [1, c.pop],
        ]),
      ) +
      bars +
      path(peak(w * 0.12, 60 * u) + peak(w * 0.93, 74 * u), c.ink) +
      rect(
        0,
        y,
        w,
        h - y,
        linear(s, [
          [0, c.mid],
          [0.2, c.deep],
          [1, c.ink],
        ]),
      ) +
      line(across + along, c.pop, 0.9, 'opacity=".8"') +
      line(`M0 ${n(y)}H${w}`, c.pale, 1.4) +
      rect(
        0,
        h * 0.72,
        w,
        h * 0.28,
        linear(s, [
          [0, c.ink, 0],
          [1, c.ink, 0.9],
        ]),
      ),
    title: {
      box: [14, 214, 172, 74],
      face: rnd.pick(['heavy', 'geometric'] as const),
      colour: c.pale,
      caps: true,
      small: c.glow,
      max: 58,
    },
  }
}
