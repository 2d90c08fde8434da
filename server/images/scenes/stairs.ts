import {
  type DrawScene,
  defineLinearGradient,
  defineRadialGradient,
  drawSkyGradient,
  type Stage,
} from '../stage.ts'
import { createCircle, createGroup, createPath, createPolygon, createRect, formatNumber } from '../svg.ts'

/** Draws `stepCount` stairs that go up from (x, y), to the right if `direction` is 1, to the left if it is -1. */
function drawStairFlight(
  { palette, scale }: Stage,
  x: number,
  y: number,
  options: { stepCount: number; direction: number; stepWidth: number },
) {
  const rise = 15 * scale
  const run = rise * 1.3 * options.direction
  const offsetX = -options.direction * options.stepWidth * scale
  const offsetY = options.stepWidth * 0.55 * scale
  let markup = ''
  for (let i = options.stepCount - 1; i >= 0; i--) {
    const stepX = x + i * run
    const stepY = y - i * rise
    const frontColour = options.direction < 0 ? palette.mid : palette.deep
    markup += createPolygon(
      [
        stepX,
        stepY,
        stepX + run,
        stepY,
        stepX + run + offsetX,
        stepY + offsetY,
        stepX + offsetX,
        stepY + offsetY,
      ],
      palette.glow,
    )
    markup += createPolygon(
      [
        stepX,
        stepY,
        stepX + offsetX,
        stepY + offsetY,
        stepX + offsetX,
        stepY + offsetY + rise,
        stepX,
        stepY + rise,
      ],
      frontColour,
    )
  }
  return markup
}

/** Draws crossing flights of stairs with a door and a person. */
function drawCrossing(stage: Stage): string {
  const { palette, scale, focusX, focusY } = stage
  const person =
    createCircle(0, -31, 4.5, palette.ink) +
    createPath('M-5-26H5L7-8H4L3 6H.6L0-8-.6 6H-3L-4-8H-7Z', palette.ink)
  return (
    drawStairFlight(stage, focusX - 110 * scale, focusY + 96 * scale, {
      stepCount: 10,
      direction: 1,
      stepWidth: 46,
    }) +
    createRect(focusX + 39 * scale, focusY - 76 * scale, 27 * scale, 52 * scale, palette.pop) +
    createCircle(focusX + 61 * scale, focusY - 48 * scale, 2 * scale, palette.glow) +
    drawStairFlight(stage, focusX + 118 * scale, focusY + 50 * scale, {
      stepCount: 5,
      direction: -1,
      stepWidth: 40,
    }) +
    drawStairFlight(stage, focusX - 8 * scale, focusY - 50 * scale, {
      stepCount: 6,
      direction: -1,
      stepWidth: 36,
    }) +
    createGroup(
      `translate(${formatNumber(focusX - 26 * scale)} ${formatNumber(focusY + 29 * scale)}) scale(${formatNumber(0.8 * scale)})`,
      person,
    )
  )
}

/** Draws a round stairwell seen from above with a light at the bottom. */
function drawStairwell(stage: Stage): string {
  const { palette, scale } = stage
  const getTurnCentre = (i: number) => [stage.focusX + i * 3 * scale, stage.focusY + i * 3 * scale] as const
  const turns = Array.from({ length: 9 }, (_, i) => {
    const turnRadius = (150 - i * 16.5) * scale
    const stepAttributes = `stroke-width="${formatNumber(3.4 - i * 0.25)}" stroke-dasharray="${formatNumber(turnRadius * 0.09)} ${formatNumber(turnRadius * 0.035)}"`
    return createCircle(
      ...getTurnCentre(i),
      turnRadius,
      [palette.ink, palette.deep, palette.mid, palette.deep][i % 4]!,
      `stroke="${palette.glow}" ${stepAttributes}`,
    )
  })
  const glow = defineRadialGradient(stage, `0 ${palette.pale} .7, 1 ${palette.pale} 0`)
  return (
    turns.join('') +
    createCircle(...getTurnCentre(8.7), 13 * scale, palette.pale) +
    createCircle(...getTurnCentre(8.7), 40 * scale, glow)
  )
}

/** Endless stairs, seen at an angle or from above. */
export const drawStairs: DrawScene = (stage) => {
  const { palette, random, width, height } = stage
  const isSeenFromAbove = random.pickBoolean(0.5)
  const groundGradient = defineLinearGradient(
    stage,
    `0 ${palette.ink} 0, .35 ${palette.ink} .95, 1 ${palette.ink}`,
  )
  return {
    art:
      drawSkyGradient(
        stage,
        isSeenFromAbove ? palette.ink : palette.pale,
        isSeenFromAbove ? palette.ink : palette.glow,
      ) +
      (isSeenFromAbove ? drawStairwell(stage) : drawCrossing(stage)) +
      createRect(0, height * 0.68, width, height * 0.33, groundGradient),
    titleLettering: {
      box: [14, 222, 172, 66],
      typeface: random.pick(['geometric', 'didone', 'grotesk'] as const),
      colour: palette.pale,
      isUppercase: true,
      letterSpacingEm: 0.08,
      subtitleColour: palette.glow,
      maxFontSize: 48,
    },
  }
}
