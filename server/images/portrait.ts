import { circle, group, n, path } from './pen.ts'
import { clip, fill, linear, radial, type Stage } from './stage.ts'

const hairs = [
  // short, parted
  'M-31-26C-36-62-8-70 8-66 32-66 38-46 32-22 30-36 22-44 8-46-8-42-24-44-31-26Z',
  // long
  'M-33-20C-42-66-8-72 4-70 36-70 42-40 37-14 36 10 46 26 36 38 28 30 30 0 28-26 18-44-10-46-24-30-30-8-26 26-38 38-48 24-34 6-33-20Z',
  // curls
  'M-30-22C-44-24-44-44-32-46-34-62-16-70-8-62 0-74 18-72 20-60 36-64 42-46 34-40 44-32 38-20 30-22 26-40 10-44 0-40-12-44-26-38-30-22Z',
  // bun
  'M-30-24C-34-56-16-64-6-65-10-84 16-84 11-65 26-63 36-50 31-24 22-44 8-48 0-48S-24-44-30-24Z',
  // shaved
  'M-29-30C-28-56-12-62 0-62S28-56 29-30C24-46 12-52 0-52S-24-46-29-30Z',
  // headscarf
  'M-36 30C-44-30-34-68 0-70 34-68 44-30 36 30 30 46-30 46-36 30ZM0-50C-26-50-28-16-24 2-20 22-8 30 0 30S20 22 24 2C28-16 26-50 0-50Z',
] as const

const skins = ['#f3c9a5', '#e0a878', '#c68656', '#9a613a', '#6e4429', '#f7d9c0'] as const
const hairTones = ['#1b1412', '#3a2318', '#6a3f22', '#b07a3a', '#8f8f92', '#2a2a33'] as const

/**
 * A person as a cut-paper bust on a colour field: features are left out on purpose, it stands for anybody.
 * The stage is the poster's.
 */
export function portrait(s: Stage): string {
  const { c, rnd, w, h } = s
  const skin = rnd.pick(skins)
  const hair = rnd.pick(hairTones)
  const cut = rnd.pick(hairs)
  const scarf = cut === hairs[5]
  const coat = rnd.pick([c.deep, c.pop, c.ink])
  const shade = clip(s, path('M0-100H120V140H0Z', c.ink))
  const head = 'M-27-28C-27-50-14-56 0-56S27-50 27-28C28 0 18 28 0 30-18 28-28 0-27-28Z'
  const body = path('M-78 150C-78 84-52 70-16 62L0 74 16 62C52 70 78 84 78 150Z', coat)
  const collar = rnd.pick([
    path('M-16 60 0 84 16 60 26 66 4 104H-4L-26 66Z', c.pale),
    path('M-20 62Q0 84 20 62L14 56H-14Z', c.glow),
    path('M-22 60Q0 76 22 60L24 72Q0 90-24 72Z', coat === c.ink ? c.mid : c.ink),
  ])
  const neck = path('M-13 14H13V62Q0 76-13 62Z', skin) + path('M-13 30Q0 42 13 28V40Q0 52-13 44Z', '#000', 'opacity=".18"')
  const beard = !scarf && cut !== hairs[1] && cut !== hairs[3] && rnd.chance(0.3) ? path('M-26-12C-24 6-14 8 0 4 14 8 24 6 26-12 30 20 16 36 0 38-16 36-30 20-26-12Z', hair) : ''
  const glasses = rnd.chance(0.25)
    ? `<g fill="none" stroke="${c.ink}" stroke-width="2.6"><circle cx="-11" cy="-16" r="8.5"/><circle cx="11" cy="-16" r="8.5"/><path d="M-2.5-17h5"/></g>`
    : ''
  const side = rnd.pick([-1, 1])
  return (
    fill(s, linear(s, [[0, c.mid], [1, c.glow]])) +
    circle(w / 2, h * 0.42, 84, radial(s, [[0, c.pale, 0.95], [0.99, c.pale, 0.75], [1, c.pale, 0]])) +
    group(
      `translate(${n(w / 2)} ${n(h * 0.5)}) scale(${side * 1.14} 1.14)`,
      (cut === hairs[1] ? path('M-36-20C-38-70 38-70 38-20 40 30 50 44 38 60H-38C-50 44-38 30-36-20Z', hair) : '') +
        body + neck + collar + path(head, skin) + beard + glasses + path(cut, scarf ? c.pop : hair) +
        `<g clip-path="${shade}" opacity=".13">${path(head, '#000')}${path('M0 40H80V150H0Z', '#000', 'opacity=".7"')}</g>`,
    ) + fill(s, linear(s, [[0.6, c.ink, 0], [1, c.ink, 0.35]]))
  )
}
