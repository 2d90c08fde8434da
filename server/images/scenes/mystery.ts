import { chooseReadableColour } from '../palette.ts'
import {
  type DrawScene,
  defineRadialGradient,
  drawScrimGradient,
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
  formatNumber,
  formatPoints,
} from '../svg.ts'

/** A maze seen from above with one light in it. */
export const drawMaze: DrawScene = (stage) => {
  const { palette, random, width } = stage
  const cellSize = stage.isWide ? 22 : 18
  const mazeLeft = stage.isWide ? width * 0.34 : 10
  const mazeTop = stage.isWide ? 12 : 14
  const columnCount = stage.isWide ? 11 : 10
  const rowCount = stage.isWide ? 9 : 11
  let wallPath = ''
  for (let y = 0; y < rowCount; y++)
    for (let x = 0; x < columnCount; x++) {
      const hasNorthPassage = y > 0 && (x === 0 || random.pickBoolean(0.5))
      const cellX = mazeLeft + x * cellSize
      const cellY = mazeTop + y * cellSize
      if (!hasNorthPassage && y > 0) wallPath += `M${formatPoints([cellX, cellY])}h${cellSize}`
      if (hasNorthPassage && x > 0) wallPath += `M${formatPoints([cellX, cellY])}v${cellSize}`
    }
  const mazeRight = mazeLeft + columnCount * cellSize
  const mazeBottom = mazeTop + rowCount * cellSize
  const framePath = `M${formatPoints([mazeLeft + cellSize, mazeTop])}H${formatNumber(mazeRight)}V${formatNumber(mazeBottom - cellSize)}M${formatPoints([mazeRight, mazeBottom])}H${formatNumber(mazeLeft)}V${formatNumber(mazeTop)}`
  const lightX = mazeLeft + cellSize * (random.pickInteger(5, columnCount - 4) + 0.5)
  const lightY = mazeTop + cellSize * (random.pickInteger(3, 6) + 0.5)
  const hasDarkBackground = random.pickBoolean(0.6)
  const wallColour = hasDarkBackground ? palette.glow : palette.ink
  const shadow = createLine(
    wallPath + framePath,
    hasDarkBackground ? palette.ink : palette.deep,
    5,
    `transform="translate(2.5 3)" opacity="${hasDarkBackground ? 1 : 0.3}" stroke-linecap="square"`,
  )
  return {
    art:
      fillStage(
        stage,
        defineRadialGradient(
          stage,
          hasDarkBackground
            ? `0 ${palette.mid}, .7 ${palette.deep}, 1 ${palette.ink}`
            : `0 ${palette.pale}, 1 ${palette.glow}`,
          `cx="${stage.isWide ? '.68' : '.5'}" cy=".4" r=".8"`,
        ),
      ) +
      shadow +
      createLine(wallPath + framePath, wallColour, 3.6, 'stroke-linecap="square"') +
      createCircle(
        lightX,
        lightY,
        34,
        defineRadialGradient(stage, `0 ${palette.pop} .8, 1 ${palette.pop} 0`),
      ) +
      createCircle(lightX, lightY, 4.2, palette.pop) +
      (hasDarkBackground ? drawScrimGradient(stage, palette.ink, 0.74, 0.6) : ''),
    titleLettering: {
      box: [12, 224, 176, 64],
      typeface: random.pick(['mono', 'geometric', 'condensed'] as const),
      colour: hasDarkBackground ? palette.pale : palette.ink,
      isUppercase: true,
      align: 'start',
      isFixedHeight: true,
      subtitleColour: hasDarkBackground
        ? palette.glow
        : chooseReadableColour(palette.glow, palette.pop, palette.ink),
      maxFontSize: 48,
    },
  }
}

/** Returns the path of the upper lashes. */
function createLashesPath({ random, scale }: Stage): string {
  const lashes = Array.from({ length: 15 }, (_, i) => {
    const fraction = i / 14
    const x = (-86 + 172 * fraction) * scale
    const y = -78 * scale * 2 * fraction * (1 - fraction)
    return `M${formatPoints([x, y - 2])}q${formatPoints([(fraction - 0.5) * 10 * scale, -12 * scale, (fraction - 0.5) * 44 * scale, -30 * scale - random.pickNumber(0, 14) * scale])}`
  })
  return lashes.join('')
}

/** A large eye, in one variant with a tear. */
export const drawEye: DrawScene = (stage) => {
  const { palette, random, height, scale } = stage
  const irisRadius = 38 * scale
  const getLidPath = (opennessFactor: number) =>
    `M${formatPoints([-92 * scale, 0])}Q${formatPoints([0, -78 * scale * opennessFactor, 92 * scale, 0])}Q${formatPoints([0, 78 * scale * opennessFactor, -92 * scale, 0])}Z`
  const irisLines = Array.from({ length: 36 }, (_, i) => {
    const angleRadians = (i / 36) * 6.283
    const innerRadius = irisRadius * (0.42 + random.pickNumber(0, 0.16))
    return `M${formatPoints([Math.cos(angleRadians) * innerRadius, Math.sin(angleRadians) * innerRadius])}L${formatPoints([Math.cos(angleRadians) * irisRadius * 0.96, Math.sin(angleRadians) * irisRadius * 0.96])}`
  }).join('')
  const lashes = createLashesPath(stage)
  const hasTear = random.pickBoolean(0.5)
  const tear = createPath(
    `M${formatPoints([0, 42 * scale])}Q${formatPoints([16 * scale, height * 0.3, 0, height * 0.34])}Q${formatPoints([-16 * scale, height * 0.3, 0, 42 * scale])}Z`,
    palette.pop,
  )
  const eyeball =
    createPath(getLidPath(1), palette.pale) +
    createCircle(
      0,
      0,
      irisRadius,
      defineRadialGradient(
        stage,
        `0 ${palette.glow}, .6 ${hasTear ? palette.pop : palette.mid}, 1 ${palette.ink}`,
      ),
    ) +
    createLine(irisLines, palette.ink, 1.1, 'opacity=".7"') +
    createCircle(0, 0, irisRadius * 0.42, palette.ink) +
    (random.pickBoolean(0.5)
      ? createCircle(0, 0, irisRadius * 0.42, 'none', `stroke="${palette.pop}" stroke-width="1.2"`)
      : createPath(
          `M${formatPoints([-2.6, irisRadius * 0.34, 2.6, irisRadius * 0.34, 1.4, 0, -1.4, 0])}Z`,
          palette.pop,
        )) +
    createCircle(-irisRadius * 0.34, -irisRadius * 0.4, irisRadius * 0.16, palette.pale) +
    createLine(
      `M${formatPoints([-92 * scale, 0])}Q${formatPoints([0, -78 * scale, 92 * scale, 0])}`,
      palette.ink,
      5 * scale,
    ) +
    createLine(lashes, palette.ink, 2.2 * scale, 'stroke-linecap="round"')
  return {
    art:
      (hasTear
        ? drawSkyGradient(stage, palette.deep, palette.mid, palette.deep, palette.ink)
        : drawSkyGradient(stage, palette.mid, palette.glow, palette.mid, palette.ink)) +
      createEllipse(
        stage.focusX,
        stage.focusY,
        130 * scale,
        84 * scale,
        defineRadialGradient(stage, `0 ${palette.ink} .8, 1 ${palette.ink} 0`),
      ) +
      createGroup(
        `translate(${formatNumber(stage.focusX)} ${formatNumber(stage.focusY)}) rotate(${formatNumber(random.pickNumber(-8, 8))})`,
        eyeball + (hasTear ? tear : ''),
      ) +
      drawScrimGradient(stage, palette.ink, 0.62, 0.95),
    titleLettering: {
      box: hasTear ? [14, 228, 172, 60] : [14, 216, 172, 72],
      isFixedHeight: hasTear,
      typeface: random.pick(['heavy', 'didone', 'condensed'] as const),
      colour: palette.pale,
      isUppercase: true,
      subtitleColour: palette.glow,
      maxFontSize: 58,
      letterSpacingEm: 0.04,
    },
  }
}
