import { circle, line, n, path, points, rect } from '../pen.ts'
import { clip, linear, radial, type Scene, sky, symbol } from '../stage.ts'

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
    rect(0, 0, w, h, linear(s, `0 ${c.pop}, .5 ${c.glow}, .62 ${c.pale}`)) +
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
      path(profile, linear(s, `0 ${c.mid}, 1 ${c.deep}`), `transform="${two}"`) +
      `<g clip-path="${window}">${land}</g>` +
      rect(0, h * 0.62, w, h * 0.4, linear(s, `0 ${c.deep} 0, .45 ${c.ink} .92, 1 ${c.ink}`)),
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
        radial(s, `.55 ${dark ? c.deep : c.pale}, 1 ${dark ? c.deep : c.pale} 0`),
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
