import { onGround } from '../palette.ts'
import { circle, ellipse, group, line, n, path, points, rect } from '../pen.ts'
import { clip, fill, linear, radial, type Scene, scrim, sky, symbol } from '../stage.ts'

const profile =
  'M-6 96C-4 78-22 76-34 72-42 69-39 60-40 55L-44 51Q-40 48-41 45L-46 42Q-42 38-44 34L-54 30Q-56 27-50 18-44 8-45-4C-46-44-20-62 8-62 44-62 62-34 58-4 55 22 40 34 42 58 44 78 66 84 84 96Z'

/** Two profiles; where they meet, a landscape. */
export const profiles: Scene = (s) => {
  const { c, rnd, w, h, u } = s
  const k = (s.wide ? 0.98 : 1.16) * (s.wide ? 0.9 : 1)
  const gap = rnd.num(20, 42) * u
  const y = s.fy + 12 * u
  const one = `translate(${n(s.fx + gap)} ${n(y)}) scale(${n(k)})`
  const two = `translate(${n(s.fx - gap)} ${n(y + rnd.num(-6, 10))}) scale(${n(-k)} ${n(k)})`
  const window = clip(s, `<path d="${profile}" transform="${one}"/>`)
  const land =
    rect(
      0,
      0,
      w,
      h,
      linear(s, [
        [0, c.pop],
        [0.5, c.glow],
        [0.62, c.pale],
      ]),
    ) +
    circle(s.fx + gap + 8, y - 8, 22 * u, c.pale) +
    path(
      `M0 ${n(h)}V${n(y + 40 * u)}L${points([s.fx, y + 16 * u, s.fx + 34 * u, y + 42 * u, s.fx + 66 * u, y + 10 * u, w, y + 50 * u])}V${n(h)}Z`,
      c.deep,
    ) +
    line(
      Array.from(
        { length: 4 },
        (_, i) => `M${points([s.fx + gap - 20 + i * 12, y - 34 + (i % 2) * 7])}q3-4 5 0q2-4 5 0`,
      ).join(''),
      c.ink,
      1,
    )
  return {
    art:
      sky(s, c.pale, c.glow, c.mid) +
      path(
        profile,
        linear(s, [
          [0, c.mid],
          [1, c.deep],
        ]),
        `transform="${two}"`,
      ) +
      `<g clip-path="${window}">${land}</g>` +
      rect(
        0,
        h * 0.62,
        w,
        h * 0.4,
        linear(s, [
          [0, c.deep, 0],
          [0.45, c.ink, 0.92],
          [1, c.ink],
        ]),
      ),
    title: {
      box: [16, 218, 168, 70],
      face: rnd.pick(['didone', 'oldstyle', 'script', 'geometric'] as const),
      colour: c.pale,
      small: c.glow,
      max: 58,
    },
  }
}

/** Leaves and flowers around the words. */
export const botanica: Scene = (s) => {
  const { c, rnd, w, h, u } = s
  const dark = rnd.chance(0.5)
  const leaf = 'M0 0C10-12 12-28 0-44-12-28-10-12 0 0Z'
  const sprig = symbol(s, (id) => {
    const pairs = [0, 1, 2, 3, 4].map((i) => {
      const at = (side: number) =>
        `transform="translate(0 ${-14 - i * 17}) rotate(${side * (54 - i * 5)}) scale(${n(1 - i * 0.1)})"`
      return `<path d="${leaf}" ${at(1)}/><path d="${leaf}" ${at(-1)}/>`
    })
    return `<g id="${id}"><path d="M-.8 0V-96H.8V0Z"/>${pairs.join('')}<path d="${leaf}" transform="translate(0-90) scale(.6)"/></g>`
  })
  const petals = rnd.int(5, 8)
  const bloom = symbol(
    s,
    (id) =>
      `<g id="${id}">${Array.from({ length: petals }, (_, i) => `<path d="M0 0C13-8 13-26 0-30-13-26-13-8 0 0Z" transform="rotate(${Math.round((360 / petals) * i)})"/>`).join('')}</g>`,
  )
  const use = (id: string, x: number, y: number, turn: number, k: number, paint: string) =>
    `<use href="${id}" transform="translate(${points([x, y])}) rotate(${Math.round(turn)}) scale(${n(k)})" fill="${paint}"/>`
  const spray = (x: number, y: number, turn: number, long: number, paint: string) =>
    use(sprig, x, y, turn, (long / 92) * u, paint)
  const flower = (x: number, y: number, k: number, paint: string, heart: string) =>
    use(bloom, x, y, rnd.int(0, 60), k * u, paint) +
    use(bloom, x, y, rnd.int(0, 60), k * u * 0.62, heart) +
    circle(x, y, 4.5 * k * u, c.ink)
  const o = s.wide ? w - 200 : 0
  const [green, green2] = dark ? [c.mid, c.deep] : [c.deep, c.mid]
  return {
    art:
      (dark ? sky(s, c.ink, c.deep, c.ink) : sky(s, c.pale, c.pale, c.glow)) +
      spray(o + 30, -6, 205, 96, green2) +
      spray(o + 190, 40, 232, 100, green) +
      spray(o + 8, 60, 158, 80, green) +
      spray(o + 176, h + 8, -24, 104, green2) +
      spray(o + 12, h - 46, 26, 92, green) +
      spray(o + 80, h + 16, 12, 70, green2) +
      circle(
        s.fx,
        s.wide ? 110 : 150,
        92 * u,
        radial(s, [
          [0.55, dark ? c.deep : c.pale],
          [1, dark ? c.deep : c.pale, 0],
        ]),
      ) +
      flower(o + 158, 46, 1.5, c.pop, c.glow) +
      flower(o + 34, h - 40, 1.6, c.pop, c.glow) +
      flower(o + 110, 28, 0.9, c.glow, c.pop) +
      flower(o + 88, h - 24, 1, dark ? c.pale : c.glow, c.pop) +
      flower(o + 176, 100, 0.7, dark ? c.pale : c.mid, c.pop),
    title: {
      box: [28, 100, 144, 108],
      face: rnd.pick(['script', 'didone', 'oldstyle'] as const),
      colour: dark ? c.pale : c.ink,
      valign: 'middle',
      small: dark ? c.glow : c.deep,
      max: 58,
    },
  }
}

/** One thing, alone on a flat ground. */
export const object: Scene = (s) => {
  const { c, rnd, u } = s
  const light = rnd.chance(0.5)
  const [ground, ink, accent] = light
    ? [c.pale, c.ink, c.pop]
    : rnd.pick([
        [c.deep, c.pale, c.pop],
        [c.pop, c.ink, c.pale],
        [c.glow, c.ink, c.pop],
      ] as const)
  const things = [
    // umbrella in rain
    line(
      Array.from({ length: 22 }, () => `M${points([rnd.num(-100, 100), rnd.num(-120, 70)])}l-5 15`).join(''),
      ink,
      1.2,
      'opacity=".45"',
    ) +
      path(
        'M-62 0A62 62 0 0 1 62 0Q52-10 41 0 31-10 20 0 10-10 0 0-10-10-20 0-31-10-41 0-52-10-62 0Z',
        accent,
      ) +
      line('M0-68V74a12 12 0 0 0 24 0', ink, 4),
    // chair
    path('M-34-84H-27L-24-6H34V4H28L32 80H25L20 4H-20L-26 80H-33Z', ink) +
      path('M-28-78 14-70 16-26-26-30Z', accent),
    // match
    line('M0-18 8 88', ink, 7) +
      path('M-3-22C-34-44-10-66-8-92 22-70 34-40 5-20Z', accent) +
      path('M0-22C-14-36-2-48 0-62 14-46 16-32 3-20Z', light ? c.glow : c.pale),
    // key
    circle(0, -54, 28, 'none', `stroke="${ink}" stroke-width="13"`) +
      path('M-6-28H6V84H-6ZM6 50H30V62H20V70H30V82H6Z', ink) +
      circle(0, -54, 9, accent),
    // balloon let go
    ellipse(0, -44, 36, 44, accent) +
      path('M-6 0H6L0-8Z', accent) +
      line('M0 0Q14 30 0 54T4 110', ink, 1.8) +
      ellipse(-12, -58, 7, 12, c.pale, 'opacity=".6"'),
    // paper plane and its way
    path('M70-60-66-14-22 2Z', accent) +
      path('M70-60-22 2-12 44 4 18Z', ink) +
      path('M70-60 4 18 36 38Z', accent) +
      line('M-22 54Q-60 90-30 104T-70 140', ink, 1.8, 'stroke-dasharray="5 5"'),
    // cup
    path('M-46-8H34V30Q34 62-6 62T-46 30Z', ink) +
      line('M34 4H50Q58 4 58 16T50 32H34', ink, 7) +
      line('M-22-20q-12-16 0-30t0-30M4-20q-12-16 0-30t0-30', accent, 4, 'stroke-linecap="round"') +
      path('M-64 70H52L40 78H-52Z', ink),
    // lamp
    path('M-30-78H30L52-10H-52Z', accent) +
      path('M-3-10H3V66H24V76H-24V66H-3Z', ink) +
      path('M-52-8H52L110 78H-110Z', light ? c.glow : c.pale, 'opacity=".3"'),
    // telephone
    path('M-70-34C-66-66 66-66 70-34L66-12H42L36-34H-36L-42-12H-66Z', ink) +
      path('M-30-28H30L56 34Q58 54 44 54H-44Q-58 54-56 34Z', accent) +
      circle(0, 14, 24, ink) +
      circle(0, 14, 10, accent),
  ]
  return {
    art:
      fill(s, ground) +
      circle(
        s.fx,
        s.fy,
        150 * u,
        radial(s, [
          [0, '#fff', light ? 0.5 : 0.16],
          [1, '#fff', 0],
        ]),
      ) +
      group(
        `translate(${n(s.fx)} ${n(s.fy + 4)}) rotate(${n(rnd.num(-7, 7))}) scale(${n(1.02 * u)})`,
        rnd.pick(things),
      ),
    title: {
      box: [18, 220, 164, 66],
      face: rnd.pick(['geometric', 'didone', 'mono', 'grotesk'] as const),
      colour: onGround(ground, ink, c.pale, c.ink),
      small: onGround(ground, accent, c.glow, c.ink),
      max: 58,
    },
  }
}

/** A window at night with somebody in it, among dark ones. */
export const windows: Scene = (s) => {
  const { c, rnd, w, h } = s
  const size = s.wide ? 50 : 46
  const lit = [s.wide ? 5 : 2, s.wide ? 1 : 1] as const
  let art = fill(
    s,
    linear(s, [
      [0, c.deep],
      [1, c.ink],
    ]),
  )
  let sills = ''
  for (let y = 0; y < (s.wide ? 4 : 4); y++)
    for (let x = 0; x * size < w; x++) {
      const px = x * size + 10
      const py = y * size * 1.12 + 14
      const here = x === lit[0] && y === lit[1]
      const paint = here ? c.glow : rnd.chance(0.16) ? c.mid : c.ink
      art += rect(px, py, size - 20, size - 10, paint, here ? '' : 'opacity=".75"')
      sills += `M${points([px - 2, py + size - 9])}h${size - 16}`
    }
  const lx = lit[0] * size + size / 2
  const ly = lit[1] * size * 1.12 + 14
  const person =
    circle(lx - 3, ly + 15, 5, c.ink) + path(`M${points([lx - 13, ly + size - 10])}q0-15 10-15t10 15Z`, c.ink)
  return {
    art:
      art +
      line(sills, c.mid, 2.5, 'opacity=".6"') +
      circle(
        lx,
        ly + 18,
        78,
        radial(s, [
          [0, c.glow, 0.5],
          [1, c.glow, 0],
        ]),
      ) +
      person +
      line(`M${points([lx + 8, ly])}v${size - 10}M${points([lx - 15, ly + 12])}h30`, c.deep, 1.2) +
      scrim(s, c.ink, 0.6, 1),
    title: {
      box: [14, 222, 172, 66],
      face: rnd.pick(['mono', 'condensed', 'oldstyle'] as const),
      colour: c.pale,
      align: 'start',
      small: c.glow,
      max: 48,
    },
  }
}
