import { chooseReadableColour } from '../palette.ts'
import {
  type DrawScene,
  defineLinearGradient,
  defineTilePattern,
  drawSkyGradient,
  fillStage,
  type Stage,
} from '../stage.ts'
import {
  createCircle,
  createEllipse,
  createGroup,
  createLine,
  createPath,
  createPolygon,
  createRect,
  formatNumber,
  formatPoints,
} from '../svg.ts'

const drawMasks = ({ palette }: Stage, accent: string): string[] => [
  // glasses, nose and moustache
  createCircle(-30, -14, 24, palette.pale, `stroke="${palette.ink}" stroke-width="9"`) +
    createCircle(30, -14, 24, palette.pale, `stroke="${palette.ink}" stroke-width="9"`) +
    createPath('M-8-20Q0-28 8-20', 'none', `stroke="${palette.ink}" stroke-width="7"`) +
    createCircle(-24, -10, 9, palette.ink) +
    createCircle(36, -10, 9, palette.ink) +
    createPath('M-2-4Q-20 34 0 34T8-4Z', accent) +
    createPath(
      'M0 36Q-14 24-36 40-50 48-62 40-50 66-28 60-8 56 0 46 8 56 28 60 50 66 62 40 50 48 36 40 14 24 0 36Z',
      palette.ink,
    ),
  // a wide smile
  createPath('M-58-8H58A58 58 0 0 1-58-8Z', palette.ink) +
    createPath('M-50-8H50V6H-50Z', palette.pale) +
    createPath('M-30 34Q0 8 30 34 16 50 0 50T-30 34Z', accent) +
    createCircle(-30, -44, 13, palette.ink) +
    createCircle(30, -44, 13, palette.ink) +
    createPath(
      'M-52-66Q-34-82-14-66M16-74Q36-86 52-68',
      'none',
      `stroke="${palette.ink}" stroke-width="8" stroke-linecap="round"`,
    ),
  // top hat and bow tie
  createPath('M-34-62H34L30-6H-30ZM-58-6H58V8H-58Z', palette.ink) +
    createRect(-32, -20, 64, 14, accent) +
    createPath('M0 46-44 24V70ZM0 46 44 24V70Z', accent) +
    createCircle(0, 47, 10, palette.ink),
  // banana skin
  createPath(
    'M-4-64Q8-66 8-58L14-26Q60-12 64 34 44 14 20 8 30 40 12 66 2 34-6 10-26 22-62 30-50-14-10-26Z',
    palette.pale,
    `stroke="${palette.ink}" stroke-width="6" stroke-linejoin="round"`,
  ),
]

/** A mask among scattered shapes on a bright background. */
export const drawMemphis: DrawScene = (stage) => {
  const { palette, random, scale } = stage
  const backgroundColour = random.pick([palette.glow, palette.mid, palette.pop])
  const accent = backgroundColour === palette.pop ? palette.glow : palette.pop
  const x = stage.focusX
  const y = stage.focusY - 4
  const confetti = Array.from({ length: 16 }, () => {
    const confettiTransform = `translate(${formatNumber(random.pickNumber(0, stage.width))} ${formatNumber(random.pickNumber(0, stage.height * (stage.isWide ? 1 : 0.6)))}) rotate(${random.pickInteger(0, 180)})`
    return createGroup(
      confettiTransform,
      random.pick([
        createRect(-7, -2, 14, 4, palette.pale),
        createLine('M-12 0l6-6 6 6 6-6 6 6', palette.ink, 2.5),
        createCircle(0, 0, 4, accent),
        createPath('M0-7 7 6H-7Z', palette.deep),
      ]),
    )
  }).join('')
  return {
    art:
      fillStage(stage, backgroundColour) +
      confetti +
      createCircle(x, y, 88 * scale, backgroundColour) +
      createGroup(
        `translate(${formatNumber(x)} ${formatNumber(y)}) rotate(${formatNumber(random.pickNumber(-9, 9))}) scale(${formatNumber(1.05 * scale)})`,
        random.pick(drawMasks(stage, accent)),
      ),
    titleLettering: {
      box: [12, 208, 176, 80],
      typeface: random.pick(['heavy', 'geometric', 'grotesk'] as const),
      colour: chooseReadableColour(backgroundColour, palette.ink, palette.pale),
      hasStroke: true,
      subtitleColour: chooseReadableColour(backgroundColour, palette.ink, palette.pale),
      maxFontSize: 60,
      isFixedHeight: true,
    },
  }
}

/** A microphone, a hat, a chair and a heart. The foot of each is at the origin. */
const drawStageProps = ({ palette }: Stage): string[] => [
  createLine('M0 0V-66M-14 0H14', palette.ink, 3) +
    createPath('M-5-82a5 5 0 0 1 10 0v14a5 5 0 0 1-10 0Z', palette.ink),
  createPath('M-22-2H22V4H-22ZM-18-4V-48H18V-4Z', palette.ink) +
    createRect(-18, -16, 36, 7, palette.pop) +
    createPath('M-30-4H30L24 3H-24Z', palette.ink),
  createPath('M-16 2V-58H-12V-28H12V2H8V-22H-12V2ZM-12-28H14V-22H-12Z', palette.ink),
  createPath('M0-8C-26-30-22-54 0-44 22-54 26-30 0-8ZM-3-8-10 2H10L3-8Z', palette.pop),
]

/** Returns the paint of a curtain with vertical folds. */
function defineCurtainFolds(stage: Stage): string {
  const { palette, random, height, scale } = stage
  const curtainColour = random.pick([palette.pop, palette.mid, palette.deep])
  return defineTilePattern(
    stage,
    26 * scale,
    height,
    createRect(0, 0, 26 * scale, height, curtainColour) +
      createRect(
        0,
        0,
        26 * scale,
        height,
        defineLinearGradient(
          stage,
          `0 ${palette.ink} .75, .4 ${palette.ink} .1, .55 ${palette.ink} 0, 1 ${palette.ink} .75`,
          '',
        ),
      ),
  )
}

/** A theatre curtain with one object in the spotlight. */
export const drawCurtain: DrawScene = (stage) => {
  const { palette, random, width, height, scale } = stage
  const curtainFolds = defineCurtainFolds(stage)
  const floorY = height * (stage.isWide ? 0.74 : 0.66)
  const x = stage.focusX
  const lightReach = stage.isWide ? 100 : 58
  const drawCurtainSide = (side: number) => {
    const edgeX = side < 0 ? 0 : width
    const nearX =
      stage.isWide && side < 0
        ? x - lightReach * 1.5
        : side < 0
          ? width * 0.2
          : stage.isWide
            ? width * 0.92
            : width * 0.8
    return createPath(
      `M${edgeX}-4H${formatNumber(x)}C${formatPoints([x + side * 10, height * 0.3, nearX, height * 0.36, nearX + side * 6, floorY + 16])}H${edgeX}Z`,
      curtainFolds,
    )
  }
  const swag = Array.from({ length: stage.isWide ? 6 : 4 }, (_, i) =>
    createEllipse(
      (i + 0.5) * (width / (stage.isWide ? 6 : 4)),
      0,
      width / (stage.isWide ? 11 : 7),
      34 * scale,
      curtainFolds,
      `stroke="${palette.glow}" stroke-width="2.4"`,
    ),
  ).join('')
  return {
    art:
      drawSkyGradient(stage, palette.ink, palette.deep) +
      createRect(
        0,
        floorY,
        width,
        height - floorY,
        defineLinearGradient(stage, `0 ${palette.deep}, 1 ${palette.ink}`),
      ) +
      createPolygon(
        [x - 12, -6, x + 12, -6, x + 62 * scale, floorY + 14 * scale, x - 62 * scale, floorY + 14 * scale],
        defineLinearGradient(stage, `0 ${palette.pale} .75, 1 ${palette.glow} .35`),
      ) +
      createEllipse(x, floorY + 14 * scale, 64 * scale, 14 * scale, palette.glow) +
      createGroup(
        `translate(${formatNumber(x)} ${formatNumber(floorY + 14 * scale)}) scale(${formatNumber(1.15 * scale)})`,
        random.pick(drawStageProps(stage)),
      ) +
      drawCurtainSide(-1) +
      drawCurtainSide(1) +
      swag,
    titleLettering: {
      box: [14, 226, 172, 62],
      typeface: random.pick(['heavy', 'slab', 'script'] as const),
      colour: palette.glow,
      isFixedHeight: true,
      subtitleColour: palette.pale,
      maxFontSize: 58,
    },
  }
}
