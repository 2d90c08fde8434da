import {
  type DrawScene,
  defineLinearGradient,
  defineRadialGradient,
  defineTilePattern,
  drawScrimGradient,
  drawSkyGradient,
  type Stage,
} from '../stage.ts'
import {
  createCircle,
  createLine,
  createPath,
  createPolygon,
  createRect,
  formatNumber,
  formatPoints,
} from '../svg.ts'

/** Returns the path of a row of roofs, closed along the bottom. */
function createRoofsPath(
  stage: Stage,
  baseY: number,
  minHeight: number,
  maxHeight: number,
  stepWidth: number,
): string {
  let pathData = `M0 ${formatNumber(stage.height)}V${formatNumber(baseY)}`
  for (let x = 0; x < stage.width; ) {
    const roofWidth = stage.random.pickNumber(stepWidth * 0.6, stepWidth * 1.4)
    const roofY = baseY - stage.random.pickNumber(minHeight, maxHeight)
    pathData += `V${formatNumber(roofY)}`
    if (stage.random.pickBoolean(0.22)) {
      const mastX = x + roofWidth / 2
      pathData += `H${formatNumber(mastX - 1)}V${formatNumber(roofY - maxHeight * 0.3)}H${formatNumber(mastX + 1)}V${formatNumber(roofY)}`
    } else if (stage.random.pickBoolean(0.2))
      pathData += `l${formatNumber(roofWidth / 2)} ${formatNumber(-roofWidth * 0.5)}l${formatNumber(roofWidth / 2)} ${formatNumber(roofWidth * 0.5)}`
    x += roofWidth
    pathData += `H${formatNumber(x)}`
  }
  return `${pathData}V${formatNumber(stage.height)}Z`
}

/** A city at night with a moon, searchlights, three rows of roofs and lit windows. */
export const drawSkyline: DrawScene = (stage) => {
  const { palette, random, width, height, scale } = stage
  const moonRadius = random.pickNumber(38, 62) * scale
  const moonX = stage.focusX + random.pickNumber(-52, 40) * (stage.isWide ? 0.5 : 1)
  const moonY = stage.focusY * (stage.isWide ? 0.95 : 0.82)
  const hasBeams = random.pickBoolean(0.55)
  const isCrescent = random.pickBoolean(0.35)
  const beamGradient = defineLinearGradient(
    stage,
    `0 ${palette.pale} .55, 1 ${palette.pale} 0`,
    'y1="1" x2="0" y2="0"',
  )
  const drawBeam = (x: number, leanX: number) =>
    createPolygon(
      [x - 2, height * 0.72, x + 2, height * 0.72, x + leanX + 26, 0, x + leanX - 22, 0],
      beamGradient,
    )
  const baseY = height * (stage.isWide ? 0.82 : 0.7)
  const panesPattern = defineTilePattern(
    stage,
    9,
    12,
    createRect(1.5, 2, 2.6, 4, palette.glow) + createRect(5.8, 8, 2, 2.6, palette.glow, 'opacity=".6"'),
  )
  const frontRoofs = createRoofsPath(stage, baseY + 18 * scale, 20 * scale, 92 * scale, 30 * scale)
  const fogGradient = defineLinearGradient(stage, `0 ${palette.mid} 0, 1 ${palette.mid} .75`)
  return {
    art:
      drawSkyGradient(stage, palette.ink, palette.deep, palette.mid, palette.glow) +
      createCircle(
        moonX,
        moonY,
        moonRadius * 2.1,
        defineRadialGradient(stage, `0 ${palette.glow} .6, 1 ${palette.glow} 0`),
      ) +
      (isCrescent
        ? createPath(
            `M${formatPoints([moonX, moonY - moonRadius * 0.7])}a${formatPoints([moonRadius * 0.7, moonRadius * 0.7])} 0 1 0 ${formatPoints([moonRadius * 0.66, moonRadius * 0.92])}a${formatPoints([moonRadius * 0.56, moonRadius * 0.56])} 0 0 1 ${formatPoints([-moonRadius * 0.66, -moonRadius * 0.92])}Z`,
            palette.pale,
          )
        : createCircle(
            moonX,
            moonY,
            moonRadius,
            defineLinearGradient(stage, `0 ${palette.pale}, 1 ${palette.glow}`),
          )) +
      (hasBeams
        ? drawBeam(width * 0.2, width * 0.16) + drawBeam(width * 0.84, -width * random.pickNumber(0.1, 0.3))
        : '') +
      createPath(
        createRoofsPath(stage, baseY - 20 * scale, 10 * scale, 70 * scale, 22 * scale),
        palette.mid,
        'opacity=".75"',
      ) +
      createPath(createRoofsPath(stage, baseY, 10 * scale, 84 * scale, 26 * scale), palette.deep) +
      createRect(0, baseY - 70 * scale, width, 90 * scale, fogGradient) +
      createPath(frontRoofs, palette.ink) +
      createPath(frontRoofs, panesPattern, 'opacity=".75"') +
      drawScrimGradient(stage, palette.ink, 0.54, 1),
    titleLettering: {
      box: [14, 196, 172, 90],
      typeface: random.pick(['condensed', 'heavy', 'didone'] as const),
      colour: palette.pale,
      isUppercase: true,
      subtitleColour: palette.glow,
      maxFontSize: 58,
    },
  }
}

/** A perspective grid in front of a striped sun (synthwave). */
export const drawNeon: DrawScene = (stage) => {
  const { palette, random, width, height, scale } = stage
  const y = height * (stage.isWide ? 0.62 : 0.6)
  const sunRadius = 66 * scale
  const bars = Array.from({ length: 6 }, (_, i) =>
    createRect(
      stage.focusX - sunRadius,
      y - 4 - i * sunRadius * 0.17,
      sunRadius * 2,
      (7 - i) * scale,
      palette.deep,
    ),
  ).join('')
  const horizontalLines = Array.from(
    { length: 9 },
    (_, i) => `M0 ${formatNumber(y + (height - y) * (i / 8) ** 2.1)}H${width}`,
  ).join('')
  const verticalLines = Array.from(
    { length: 17 },
    (_, i) =>
      `M${formatPoints([stage.focusX + (i - 8) * 7, y])}L${formatPoints([stage.focusX + (i - 8) * 62, height])}`,
  ).join('')
  const getPeakPath = (x: number, peakFactor: number) =>
    `M${formatPoints([x - peakFactor, y])}l${formatPoints([peakFactor * 0.5, -peakFactor * 0.5, peakFactor * 0.18, peakFactor * 0.2, peakFactor * 0.34, -peakFactor * 0.42, peakFactor, peakFactor * 0.72])}Z`
  return {
    art:
      drawSkyGradient(stage, palette.ink, palette.deep, palette.mid) +
      createCircle(
        stage.focusX,
        y - sunRadius * 0.7,
        sunRadius * 1.9,
        defineRadialGradient(stage, `0 ${palette.pop} .55, 1 ${palette.pop} 0`),
      ) +
      createCircle(
        stage.focusX,
        y - sunRadius * 0.7,
        sunRadius,
        defineLinearGradient(stage, `0 ${palette.pale}, .45 ${palette.glow}, 1 ${palette.pop}`),
      ) +
      bars +
      createPath(getPeakPath(width * 0.12, 60 * scale) + getPeakPath(width * 0.93, 74 * scale), palette.ink) +
      createRect(
        0,
        y,
        width,
        height - y,
        defineLinearGradient(stage, `0 ${palette.mid}, .2 ${palette.deep}, 1 ${palette.ink}`),
      ) +
      createLine(horizontalLines + verticalLines, palette.pop, 0.9, 'opacity=".8"') +
      createLine(`M0 ${formatNumber(y)}H${width}`, palette.pale, 1.4) +
      createRect(
        0,
        height * 0.72,
        width,
        height * 0.28,
        defineLinearGradient(stage, `0 ${palette.ink} 0, 1 ${palette.ink} .9`),
      ),
    titleLettering: {
      box: [14, 214, 172, 74],
      typeface: random.pick(['heavy', 'geometric'] as const),
      colour: palette.pale,
      isUppercase: true,
      subtitleColour: palette.glow,
      maxFontSize: 58,
    },
  }
}
