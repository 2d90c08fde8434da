import { chooseReadableColour } from '../palette.ts'
import { type DrawScene, fillStage, type Stage } from '../stage.ts'
import { createGroup, createPolygon, formatNumber } from '../svg.ts'

const pickOffset = (stage: Stage, maxOffset: number) => stage.random.pickNumber(-maxOffset, maxOffset)

/** A rectangle with displaced corners, as if cut with scissors. */
const drawPaperRectangle = (
  stage: Stage,
  x: number,
  y: number,
  width: number,
  height: number,
  paint: string,
) =>
  createPolygon(
    [
      x + pickOffset(stage, 6),
      y + pickOffset(stage, 6),
      x + width + pickOffset(stage, 6),
      y + pickOffset(stage, 6),
      x + width + pickOffset(stage, 6),
      y + height + pickOffset(stage, 6),
      x + pickOffset(stage, 6),
      y + height + pickOffset(stage, 6),
    ],
    paint,
  )

const figurePaths = [
  // falling person
  '<path d="M-8-62-2-70 9-67 12-56 3-49-7-53ZM-12-46 14-48 19-4-14 2-18-20ZM-17-42-44-66-58-62-54-56-46-58-20-28ZM18-44 46-26 62-40 66-32 47-14 17-30ZM-13 6 4 4 2 34-22 62-34 58-12 30ZM8 3 20 0 30 30 56 46 50 56 20 40Z"/>',
  // hand
  '<path d="M-26 78-30 18-44-4-36-12-22 2-24-46-14-48-8-6-6-60 5-60 7-6 14-52 24-50 21 0 32-32 41-28 34 14 26 40 28 80Z"/>',
  // knife
  '<path d="M-4-84Q18-50 12 8L-10 4Z"/><path d="M-18 6 20 13 18 21-19 14ZM-8 18 9 21 4 74-14 70Z"/>',
  // bird
  '<path d="M-66-14-20-22Q-4-58 30-66L22-26Q44-20 52-6L72 0 50 8Q34 34-4 34L-30 64-26 28Q-40 10-66-14Z"/>',
  // bottle and glass
  '<path d="M-34 74V-14L-22-34V-72H-6V-34L6-14V74ZM20 74V68H34V38L16 6H64L44 38V68H58V74Z"/>',
] as const

/** A paper collage with one figure, in two colours and black. */
export const drawPaperCutout: DrawScene = (stage) => {
  const { palette, random, width, height, scale } = stage
  const [backgroundColour, paperColour] = random.pick([
    [palette.pop, palette.ink],
    [palette.glow, palette.pop],
    [palette.pale, palette.pop],
  ] as const)
  const hasRays = random.pickBoolean(0.5)
  const x = stage.focusX
  const y = height * (stage.isWide ? 0.5 : 0.4)
  const rays = Array.from({ length: 7 }, (_, i) => {
    const angleRadians = (i / 7) * 6.283 + random.pickNumber(0, 0.5)
    const spreadRadians = random.pickNumber(0.1, 0.24)
    return createPolygon(
      [
        x,
        y,
        x + Math.cos(angleRadians - spreadRadians) * 330,
        y + Math.sin(angleRadians - spreadRadians) * 330,
        x + Math.cos(angleRadians + spreadRadians) * 330,
        y + Math.sin(angleRadians + spreadRadians) * 330,
      ],
      paperColour,
    )
  }).join('')
  const background = hasRays
    ? rays
    : drawPaperRectangle(stage, x - 62 * scale, -10, 120 * scale, height * 0.62, paperColour) +
      drawPaperRectangle(stage, x - 92 * scale, height * 0.34, 30 * scale, height, paperColour)
  const figurePath = random.pick(figurePaths)
  const figure = createGroup(
    `translate(${formatNumber(x)} ${formatNumber(y)}) rotate(${formatNumber(figurePath === figurePaths[0] ? random.pickNumber(110, 170) : random.pickNumber(-18, 18))}) scale(${formatNumber(1.12 * scale)})`,
    figurePath,
    `fill="${paperColour === palette.ink ? palette.pale : palette.ink}"`,
  )
  const halo = hasRays
    ? drawPaperRectangle(stage, x - 66 * scale, y - 80 * scale, 132 * scale, 160 * scale, backgroundColour)
    : ''
  return {
    art:
      fillStage(stage, backgroundColour) +
      background +
      halo +
      figure +
      (stage.isWide
        ? ''
        : drawPaperRectangle(stage, -12, height * 0.7, width + 24, height * 0.4, palette.ink)),
    titleLettering: {
      box: [14, 222, 172, 66],
      typeface: random.pick(['heavy', 'condensed'] as const),
      colour: chooseReadableColour(palette.ink, backgroundColour, palette.pale),
      isFixedHeight: true,
      isUppercase: true,
      layout: 'stack',
      subtitleColour: palette.pale,
      maxFontSize: 58,
      align: 'start',
      rotationDegrees: -2,
    },
  }
}
