import { onGround, type Palette } from '../palette.ts'
import { circle, line, n, path, points, rect } from '../pen.ts'
import { fill, type Scene } from '../stage.ts'

/** What a frame shows: hills, somebody, roofs, water, a road. The last two need a frame that is not pale. */
const views = [
  (c: Palette, x: number, y: number, cw: number, ch: number) =>
    circle(x + cw * 0.6, y + ch * 0.42, 9, c.pale) +
    path(
      `M${points([x, y + ch])}V${n(y + ch * 0.7)}l${points([cw * 0.3, -ch * 0.3, cw * 0.3, ch * 0.25, cw * 0.4, -ch * 0.2])}V${n(y + ch)}Z`,
      c.ink,
    ),
  (c: Palette, x: number, y: number, cw: number, ch: number) =>
    circle(x + cw / 2, y + ch * 0.4, ch * 0.2, c.ink) +
    path(
      `M${points([x + cw * 0.2, y + ch])}q0-${n(ch * 0.36)} ${n(cw * 0.3)}-${n(ch * 0.36)}t${n(cw * 0.3)} ${n(ch * 0.36)}Z`,
      c.ink,
    ),
  (c: Palette, x: number, y: number, cw: number, ch: number) =>
    path(
      `M${points([x, y + ch])}V${n(y + ch * 0.5)}h10v-9h9v15h12V${n(y + ch * 0.24)}h10v20h${n(cw - 41)}V${n(y + ch)}Z`,
      c.ink,
    ),
  (c: Palette, x: number, y: number, cw: number, ch: number) =>
    line(
      `M${points([x, y + ch * 0.6])}q${points([cw / 4, -9, cw / 2, 0])}t${n(cw / 2)} 0M${points([x, y + ch * 0.78])}q${points([cw / 4, -9, cw / 2, 0])}t${n(cw / 2)} 0`,
      c.ink,
      3,
    ),
  (c: Palette, x: number, y: number, cw: number, ch: number) =>
    path(
      `M${points([x + cw * 0.46, y + ch * 0.3])}h${n(cw * 0.08)}L${points([x + cw * 0.9, y + ch, x + cw * 0.1, y + ch])}Z`,
      c.ink,
    ),
] as const

/** A sheet of contact prints; one is marked. */
export const contacts: Scene = (s) => {
  const { c, rnd, w } = s
  const cw = s.wide ? 74 : 58
  const ch = s.wide ? 52 : 42
  const [columnsCount, rows] = s.wide ? [5, 4] : [3, 4]
  const light = rnd.chance(0.4)
  const tones = [c.mid, c.glow, c.pale, c.deep, c.mid]
  const left = s.wide ? 8 : 9
  let art = fill(s, light ? c.pale : c.ink)
  const chosen = s.wide ? 8 : 4
  for (let i = 0; i < columnsCount * rows; i++) {
    const x = left + (i % columnsCount) * (cw + 4)
    const y = 10 + Math.floor(i / columnsCount) * (ch + 8)
    const tone = i === chosen ? c.pop : rnd.pick(tones)
    art += rect(x, y, cw, ch, tone) + rnd.pick(views.slice(0, tone === c.pale ? 3 : 5))(c, x, y, cw, ch)
  }
  const strip = Array.from({ length: rows + 1 }, (_, i) => `M0 ${n(6 + i * (ch + 8))}H${w}`).join('')
  const mx = left + (chosen % columnsCount) * (cw + 4) + cw / 2
  const my = 10 + Math.floor(chosen / columnsCount) * (ch + 8) + ch / 2
  const mark = line(
    `M${points([mx - cw * 0.6, my])}C${points([mx - cw * 0.6, my - ch, mx + cw * 0.66, my - ch * 0.8, mx + cw * 0.62, my, mx + cw * 0.6, my + ch * 0.9, mx - cw * 0.6, my + ch * 0.8, mx - cw * 0.52, my - ch * 0.3])}`,
    light ? c.ink : c.pale,
    3,
    'stroke-linecap="round"',
  )
  return {
    art: art + line(strip, light ? c.ink : c.glow, 2, 'stroke-dasharray="3 3.4" opacity=".55"') + mark,
    title: {
      box: [10, 218, 180, 70],
      face: rnd.pick(['grotesk', 'mono', 'condensed'] as const),
      colour: light ? c.ink : c.pale,
      align: 'start',
      closed: true,
      small: onGround(light ? c.pale : c.ink, c.pop, c.glow, c.deep),
      max: 58,
    },
  }
}
