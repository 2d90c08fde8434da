import { circle, line, n, path, points, poly, rect } from '../pen.ts'
import { linear, pattern, radial, type Scene, type Stage, scrim, sky } from '../stage.ts'

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
  const moon = rnd.num(38, 62) * u
  const mx = s.fx + rnd.num(-52, 40) * (s.wide ? 0.5 : 1)
  const my = s.fy * (s.wide ? 0.95 : 0.82)
  const beams = rnd.chance(0.55)
  const crescent = rnd.chance(0.35)
  const beam = linear(s, `0 ${c.pale} .55, 1 ${c.pale} 0`, 'y1="1" x2="0" y2="0"')
  const light = (x: number, lean: number) =>
    poly([x - 2, h * 0.72, x + 2, h * 0.72, x + lean + 26, 0, x + lean - 22, 0], beam)
  const base = h * (s.wide ? 0.82 : 0.7)
  const panes = pattern(s, 9, 12, rect(1.5, 2, 2.6, 4, c.glow) + rect(5.8, 8, 2, 2.6, c.glow, 'opacity=".6"'))
  const front = roofs(s, base + 18 * u, 20 * u, 92 * u, 30 * u)
  const fog = linear(s, `0 ${c.mid} 0, 1 ${c.mid} .75`)
  return {
    art:
      sky(s, c.ink, c.deep, c.mid, c.glow) +
      circle(mx, my, moon * 2.1, radial(s, `0 ${c.glow} .6, 1 ${c.glow} 0`)) +
      (crescent
        ? path(
            `M${points([mx, my - moon * 0.7])}a${points([moon * 0.7, moon * 0.7])} 0 1 0 ${points([moon * 0.66, moon * 0.92])}a${points([moon * 0.56, moon * 0.56])} 0 0 1 ${points([-moon * 0.66, -moon * 0.92])}Z`,
            c.pale,
          )
        : circle(mx, my, moon, linear(s, `0 ${c.pale}, 1 ${c.glow}`))) +
      (beams ? light(w * 0.2, w * 0.16) + light(w * 0.84, -w * rnd.num(0.1, 0.3)) : '') +
      path(roofs(s, base - 20 * u, 10 * u, 70 * u, 22 * u), c.mid, 'opacity=".75"') +
      path(roofs(s, base, 10 * u, 84 * u, 26 * u), c.deep) +
      rect(0, base - 70 * u, w, 90 * u, fog) +
      path(front, c.ink) +
      path(front, panes, 'opacity=".75"') +
      scrim(s, c.ink, 0.54, 1),
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
      circle(s.fx, y - r * 0.7, r * 1.9, radial(s, `0 ${c.pop} .55, 1 ${c.pop} 0`)) +
      circle(s.fx, y - r * 0.7, r, linear(s, `0 ${c.pale}, .45 ${c.glow}, 1 ${c.pop}`)) +
      bars +
      path(peak(w * 0.12, 60 * u) + peak(w * 0.93, 74 * u), c.ink) +
      rect(0, y, w, h - y, linear(s, `0 ${c.mid}, .2 ${c.deep}, 1 ${c.ink}`)) +
      line(across + along, c.pop, 0.9, 'opacity=".8"') +
      line(`M0 ${n(y)}H${w}`, c.pale, 1.4) +
      rect(0, h * 0.72, w, h * 0.28, linear(s, `0 ${c.ink} 0, 1 ${c.ink} .9`)),
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
