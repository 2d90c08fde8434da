import { chooseReadableColour } from '../palette.ts'
import { type DrawScene, defineRadialGradient, fillStage, type Stage } from '../stage.ts'
import { circle, ellipse, formatNumber, formatPoints, group, line, path } from '../svg.ts'

/** Objects around the origin, about 170 units tall, in two colours and a glow. */
const drawObjects = ({ palette, random }: Stage, ink: string, accent: string, glow: string): string[] => [
  // umbrella in rain
  line(
    Array.from(
      { length: 22 },
      () => `M${formatPoints([random.number(-100, 100), random.number(-120, 70)])}l-5 15`,
    ).join(''),
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
    path('M0-22C-14-36-2-48 0-62 14-46 16-32 3-20Z', glow),
  // key
  circle(0, -54, 28, 'none', `stroke="${ink}" stroke-width="13"`) +
    path('M-6-28H6V84H-6ZM6 50H30V62H20V70H30V82H6Z', ink) +
    circle(0, -54, 9, accent),
  // a balloon that flies away
  ellipse(0, -44, 36, 44, accent) +
    path('M-6 0H6L0-8Z', accent) +
    line('M0 0Q14 30 0 54T4 110', ink, 1.8) +
    ellipse(-12, -58, 7, 12, palette.pale, 'opacity=".6"'),
  // paper plane with its trail
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
    path('M-52-8H52L110 78H-110Z', glow, 'opacity=".3"'),
  // telephone
  path('M-70-34C-66-66 66-66 70-34L66-12H42L36-34H-36L-42-12H-66Z', ink) +
    path('M-30-28H30L56 34Q58 54 44 54H-44Q-58 54-56 34Z', accent) +
    circle(0, 14, 24, ink) +
    circle(0, 14, 10, accent),
]

/** A single object on a flat ground. */
export const drawSingleObject: DrawScene = (stage) => {
  const { palette, random, scale } = stage
  const isLight = random.chance(0.5)
  const [ground, ink, accent] = isLight
    ? [palette.pale, palette.ink, palette.pop]
    : random.pick([
        [palette.deep, palette.pale, palette.pop],
        [palette.pop, palette.ink, palette.pale],
        [palette.glow, palette.ink, palette.pop],
      ] as const)
  return {
    art:
      fillStage(stage, ground) +
      circle(
        stage.focusX,
        stage.focusY,
        150 * scale,
        defineRadialGradient(stage, `0 #fff ${isLight ? 0.5 : 0.16}, 1 #fff 0`),
      ) +
      group(
        `translate(${formatNumber(stage.focusX)} ${formatNumber(stage.focusY + 4)}) rotate(${formatNumber(random.number(-7, 7))}) scale(${formatNumber(1.02 * scale)})`,
        random.pick(drawObjects(stage, ink, accent, isLight ? palette.glow : palette.pale)),
      ),
    title: {
      box: [18, 227, 164, 60],
      face: random.pick(['geometric', 'didone', 'mono', 'grotesk'] as const),
      colour: chooseReadableColour(ground, ink, palette.pale, palette.ink),
      subtitleColour: chooseReadableColour(ground, accent, palette.glow, palette.ink),
      maxFontSize: 58,
      isFixedHeight: true,
    },
  }
}
