import {
  type DrawScene,
  defineLinearGradient,
  defineRadialGradient,
  drawScrimGradient,
  drawSkyGradient,
} from '../stage.ts'
import { createCircle, createGroup, createLine, createPath, formatNumber, formatPoints } from '../svg.ts'

/** Tree trunks in fog with one light. */
export const drawForest: DrawScene = (stage) => {
  const { palette, random, width, height, scale } = stage
  const createTrunkPath = (x: number, halfWidth: number) =>
    `M${formatPoints([x - halfWidth, -4])}L${formatPoints([x + halfWidth * 0.8, -4, x + halfWidth * 0.9, height * 0.6, x + halfWidth * 1.8, height + 4, x - halfWidth * 2, height + 4, x - halfWidth * 1.1, height * 0.6])}Z` +
    createTwigPath(x, height * random.pickNumber(0.08, 0.4), random.pick([-1, 1]) * halfWidth)
  /*
   * The path of a twig is clockwise on both sides of the trunk, as is the path of the trunk. Where two paths of
   * opposite directions overlap, SVG leaves a hole.
   */
  const createTwigPath = (x: number, y: number, signedTwigSize: number) => {
    const twigSize = Math.abs(signedTwigSize)
    return signedTwigSize > 0
      ? `M${formatPoints([x, y])}q${formatPoints([signedTwigSize * 3, -twigSize, signedTwigSize * 4.4, -twigSize * 4])}q${formatPoints([-signedTwigSize * 1.2, twigSize * 3.6, -signedTwigSize * 4.4, twigSize * 5.4])}Z`
      : `M${formatPoints([x, y + twigSize * 1.4])}q${formatPoints([signedTwigSize * 3.2, -twigSize * 1.8, signedTwigSize * 4.4, -twigSize * 5.4])}q${formatPoints([-signedTwigSize * 1.4, twigSize * 3, -signedTwigSize * 4.4, twigSize * 4])}Z`
  }
  const createTrunkRow = (trunkCount: number, halfWidth: number, gap: number) =>
    Array.from({ length: trunkCount }, (_, i) => (i + random.pickNumber(0.2, 0.8)) * (width / trunkCount))
      .filter((x) => Math.abs(x - stage.focusX) > gap)
      .map((x) => createTrunkPath(x, halfWidth * random.pickNumber(0.7, 1.2)))
      .join('')
  const fogGradient = defineLinearGradient(
    stage,
    `0 ${palette.mid} 0, .6 ${palette.mid} .75, 1 ${palette.ink} .6`,
  )
  const trunkCount = stage.isWide ? 11 : 7
  const y = height * 0.56
  return {
    art:
      drawSkyGradient(stage, palette.deep, palette.mid, palette.glow, palette.mid, palette.ink) +
      createPath(createTrunkRow(trunkCount + 4, 2.4, 8), palette.mid) +
      createPath(createTrunkRow(trunkCount, 4, 20), palette.deep, 'opacity=".85"') +
      `<rect y="${formatNumber(height * 0.3)}" width="${width}" height="${formatNumber(height * 0.7)}" fill="${fogGradient}"/>` +
      createCircle(
        stage.focusX,
        y,
        62 * scale,
        defineRadialGradient(stage, `0 ${palette.pale} .95, .25 ${palette.glow} .55, 1 ${palette.glow} 0`),
      ) +
      createCircle(stage.focusX, y, 3.4, palette.pale) +
      createPath(
        'M-2.6 2h5.2l2 20h-9Z',
        palette.ink,
        `transform="translate(${formatNumber(stage.focusX + 5)} ${formatNumber(y - 4)})"`,
      ) +
      createCircle(stage.focusX + 5, y - 5, 2.6, palette.ink) +
      createPath(createTrunkRow(stage.isWide ? 5 : 3, 10 * scale, 42 * scale), palette.ink) +
      drawScrimGradient(stage, palette.ink, 0.62, 1),
    titleLettering: {
      box: [16, 208, 168, 80],
      typeface: random.pick(['didone', 'condensed', 'mono'] as const),
      colour: palette.pale,
      isUppercase: true,
      letterSpacingEm: 0.06,
      subtitleColour: palette.glow,
      maxFontSize: 58,
    },
  }
}

/** A bare tree in front of the moon. */
export const drawBranches: DrawScene = (stage) => {
  const { palette, random, height, scale } = stage
  const branchPaths: string[] = []
  const growBranch = (x: number, y: number, angleRadians: number, branchLength: number, depth: number) => {
    const tipX = x + Math.cos(angleRadians) * branchLength
    const tipY = y + Math.sin(angleRadians) * branchLength
    branchPaths.push(
      createLine(
        `M${formatPoints([x, y])}Q${formatPoints([(x + tipX) / 2 + random.pickNumber(-5, 5), (y + tipY) / 2, tipX, tipY])}`,
        palette.ink,
        0.5 + depth ** 1.75 * 0.62 * scale,
      ),
    )
    if (depth === 0) return
    growBranch(
      tipX,
      tipY,
      angleRadians - random.pickNumber(0.25, 0.7),
      branchLength * random.pickNumber(0.66, 0.84),
      depth - 1,
    )
    growBranch(
      tipX,
      tipY,
      angleRadians + random.pickNumber(0.2, 0.65),
      branchLength * random.pickNumber(0.6, 0.8),
      depth - 1,
    )
  }
  const footY = height * (stage.isWide ? 0.95 : 0.74)
  growBranch(stage.focusX + 38 * scale, footY, -1.75, 52 * scale, 4)
  const radius = 72 * scale
  const crow = createGroup(
    `translate(${formatNumber(stage.focusX - 44 * scale)} ${formatNumber(stage.focusY - 8)}) scale(${formatNumber(0.9 * scale)})`,
    createPath('M-12 2Q-4-8 4-5Q6-9 10-8L14-6L9-4Q8 4-2 5L-14 9Z', palette.ink),
  )
  return {
    art:
      drawSkyGradient(stage, palette.ink, palette.deep, palette.mid, palette.deep, palette.ink) +
      createCircle(
        stage.focusX,
        stage.focusY,
        radius * 1.7,
        defineRadialGradient(stage, `.4 ${palette.glow} .6, 1 ${palette.glow} 0`),
      ) +
      createCircle(
        stage.focusX,
        stage.focusY,
        radius,
        defineRadialGradient(stage, `0 ${palette.pale}, 1 ${palette.glow}`),
      ) +
      createCircle(
        stage.focusX - 22 * scale,
        stage.focusY - 18 * scale,
        13 * scale,
        palette.glow,
        'opacity=".35"',
      ) +
      createCircle(
        stage.focusX + 20 * scale,
        stage.focusY + 26 * scale,
        19 * scale,
        palette.glow,
        'opacity=".3"',
      ) +
      createPath(
        `M0 ${formatNumber(height)}V${formatNumber(footY + 4)}Q${formatPoints([stage.width * 0.3, footY - 14, stage.width * 0.62, footY - 4])}T${formatPoints([stage.width, footY - 8])}V${formatNumber(height)}Z`,
        palette.ink,
      ) +
      branchPaths.join('') +
      crow,
    titleLettering: {
      box: [16, 228, 168, 60],
      typeface: random.pick(['didone', 'oldstyle', 'heavy'] as const),
      colour: palette.pale,
      isUppercase: true,
      letterSpacingEm: 0.05,
      subtitleColour: palette.glow,
      maxFontSize: 48,
    },
  }
}
