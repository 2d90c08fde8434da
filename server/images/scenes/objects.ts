import { chooseReadableColour } from '../palette.ts'
import { type DrawScene, defineRadialGradient, fillStage, type Stage } from '../stage.ts'
import {
  createCircle,
  createEllipse,
  createGroup,
  createLine,
  createPath,
  formatNumber,
  formatPoints,
} from '../svg.ts'

/**
 * Objects around the origin, about 170 units tall. Each is drawn in the colours `ink` and `accent`; a flame or the
 * light of a lamp is drawn in the colour `glow`.
 */
const drawObjects = ({ palette, random }: Stage, ink: string, accent: string, glow: string): string[] => [
  // umbrella in rain
  createLine(
    Array.from(
      { length: 22 },
      () => `M${formatPoints([random.pickNumber(-100, 100), random.pickNumber(-120, 70)])}l-5 15`,
    ).join(''),
    ink,
    1.2,
    'opacity=".45"',
  ) +
    createPath(
      'M-62 0A62 62 0 0 1 62 0Q52-10 41 0 31-10 20 0 10-10 0 0-10-10-20 0-31-10-41 0-52-10-62 0Z',
      accent,
    ) +
    createLine('M0-68V74a12 12 0 0 0 24 0', ink, 4),
  // chair
  createPath('M-34-84H-27L-24-6H34V4H28L32 80H25L20 4H-20L-26 80H-33Z', ink) +
    createPath('M-28-78 14-70 16-26-26-30Z', accent),
  // burning match
  createLine('M0-18 8 88', ink, 7) +
    createPath('M-3-22C-34-44-10-66-8-92 22-70 34-40 5-20Z', accent) +
    createPath('M0-22C-14-36-2-48 0-62 14-46 16-32 3-20Z', glow),
  // key
  createCircle(0, -54, 28, 'none', `stroke="${ink}" stroke-width="13"`) +
    createPath('M-6-28H6V84H-6ZM6 50H30V62H20V70H30V82H6Z', ink) +
    createCircle(0, -54, 9, accent),
  // balloon with its string
  createEllipse(0, -44, 36, 44, accent) +
    createPath('M-6 0H6L0-8Z', accent) +
    createLine('M0 0Q14 30 0 54T4 110', ink, 1.8) +
    createEllipse(-12, -58, 7, 12, palette.pale, 'opacity=".6"'),
  // paper plane with its trail
  createPath('M70-60-66-14-22 2Z', accent) +
    createPath('M70-60-22 2-12 44 4 18Z', ink) +
    createPath('M70-60 4 18 36 38Z', accent) +
    createLine('M-22 54Q-60 90-30 104T-70 140', ink, 1.8, 'stroke-dasharray="5 5"'),
  // cup
  createPath('M-46-8H34V30Q34 62-6 62T-46 30Z', ink) +
    createLine('M34 4H50Q58 4 58 16T50 32H34', ink, 7) +
    createLine('M-22-20q-12-16 0-30t0-30M4-20q-12-16 0-30t0-30', accent, 4, 'stroke-linecap="round"') +
    createPath('M-64 70H52L40 78H-52Z', ink),
  // lamp
  createPath('M-30-78H30L52-10H-52Z', accent) +
    createPath('M-3-10H3V66H24V76H-24V66H-3Z', ink) +
    createPath('M-52-8H52L110 78H-110Z', glow, 'opacity=".3"'),
  // telephone
  createPath('M-70-34C-66-66 66-66 70-34L66-12H42L36-34H-36L-42-12H-66Z', ink) +
    createPath('M-30-28H30L56 34Q58 54 44 54H-44Q-58 54-56 34Z', accent) +
    createCircle(0, 14, 24, ink) +
    createCircle(0, 14, 10, accent),
]

/** A single object on a background of one colour. */
export const drawSingleObject: DrawScene = (stage) => {
  const { palette, random, scale } = stage
  const hasLightBackground = random.pickBoolean(0.5)
  const [backgroundColour, ink, accent] = hasLightBackground
    ? [palette.pale, palette.ink, palette.pop]
    : random.pick([
        [palette.deep, palette.pale, palette.pop],
        [palette.pop, palette.ink, palette.pale],
        [palette.glow, palette.ink, palette.pop],
      ] as const)
  return {
    art:
      fillStage(stage, backgroundColour) +
      createCircle(
        stage.focusX,
        stage.focusY,
        150 * scale,
        defineRadialGradient(stage, `0 #fff ${hasLightBackground ? 0.5 : 0.16}, 1 #fff 0`),
      ) +
      createGroup(
        `translate(${formatNumber(stage.focusX)} ${formatNumber(stage.focusY + 4)}) rotate(${formatNumber(random.pickNumber(-7, 7))}) scale(${formatNumber(1.02 * scale)})`,
        random.pick(drawObjects(stage, ink, accent, hasLightBackground ? palette.glow : palette.pale)),
      ),
    titleLettering: {
      box: [18, 227, 164, 60],
      typeface: random.pick(['geometric', 'didone', 'mono', 'grotesk'] as const),
      colour: chooseReadableColour(backgroundColour, ink, palette.pale, palette.ink),
      subtitleColour: chooseReadableColour(backgroundColour, accent, palette.glow, palette.ink),
      maxFontSize: 58,
      isFixedHeight: true,
    },
  }
}
