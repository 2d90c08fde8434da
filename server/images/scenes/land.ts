import {
  type DrawScene,
  defineLinearGradient,
  defineRadialGradient,
  defineTilePattern,
  drawScrimGradient,
  drawSkyGradient,
  type Stage,
} from '../stage.ts'
import { createCircle, createGroup, createLine, createPath, formatNumber, formatPoints } from '../svg.ts'

const drawBirds = (stage: Stage, x: number, y: number) =>
  createLine(
    Array.from(
      { length: 5 },
      () =>
        `M${formatPoints([x + stage.random.pickNumber(-34, 34), y + stage.random.pickNumber(-12, 12)])}q3-4 5 0q2-4 5 0`,
    ).join(''),
    stage.palette.ink,
    1,
  )

/** Returns the path of a mountain ridge from edge to edge, closed along the bottom. */
function createRidgePath(stage: Stage, baseY: number, maxRise: number, stepCount: number): string {
  let pathData = `M0 ${formatNumber(stage.height)}V${formatNumber(baseY - stage.random.pickNumber(0, maxRise * 0.6))}`
  for (let i = 1; i <= stepCount; i++) {
    const x = (stage.width / stepCount) * i
    const riseFraction = i % 2 === 0 ? stage.random.pickNumber(0, 0.3) : stage.random.pickNumber(0.55, 1)
    pathData += `L${formatPoints([x - stage.width / stepCount / 2.2, baseY - maxRise * (riseFraction * 0.55 + stage.random.pickNumber(0, 0.22)), x, baseY - maxRise * riseFraction])}`
  }
  return `${pathData}V${formatNumber(stage.height)}Z`
}

/** Mountain ridges in haze under a low sun, with a walker on the nearest ridge. */
export const drawMountainRanges: DrawScene = (stage) => {
  const { palette, random, height, scale } = stage
  const hasBrightSky = random.pickBoolean(0.5)
  const hills = [0.5, 0.58, 0.67, 0.77, 0.88].map((baseFraction, i) => {
    const tone = [palette.glow, palette.mid, palette.mid, palette.deep, palette.ink][i]!
    const paint =
      i < 4
        ? defineLinearGradient(
            stage,
            `0 ${tone} ${0.5 + i * 0.13}, 1 ${hasBrightSky ? palette.pale : palette.glow} ${i < 2 ? 0.85 : 0.45}`,
          )
        : tone
    return createPath(
      createRidgePath(
        stage,
        height * baseFraction + 12,
        (70 - i * 6) * scale,
        5 + i + (stage.isWide ? 3 : 0),
      ),
      paint,
    )
  })
  const sunY = stage.focusY + (stage.isWide ? 0 : 20)
  const walkerX = stage.focusX + random.pickNumber(-20, 20)
  const walkerY = height * 0.8
  const walker = createGroup(
    `translate(${formatNumber(walkerX)} ${formatNumber(walkerY)})`,
    createPath(
      `M-70 ${formatNumber(height - walkerY + 4)}Q-20-4 0 0T90 ${formatNumber(height - walkerY + 4)}Z`,
      palette.ink,
    ) +
      createCircle(0, -15.5, 2.4, palette.ink) +
      createPath('M-2.4-13h4.8l1 8-1.4 6h-1.4L0-4-.8 1h-1.4L-3.4-5Z', palette.ink),
  )
  return {
    art:
      (hasBrightSky
        ? drawSkyGradient(stage, palette.glow, palette.pale, palette.pale)
        : drawSkyGradient(stage, palette.ink, palette.deep, palette.mid, palette.glow)) +
      createCircle(
        stage.focusX,
        sunY,
        60 * scale,
        defineRadialGradient(stage, `0 ${palette.pale} .9, 1 ${palette.pale} 0`),
      ) +
      createCircle(stage.focusX, sunY, 28 * scale, hasBrightSky ? palette.pop : palette.pale) +
      drawBirds(stage, stage.focusX + 30, sunY - 12) +
      hills.join('') +
      walker,
    titleLettering: {
      box: [18, 20, 164, 84],
      typeface: random.pick(['didone', 'geometric', 'oldstyle'] as const),
      colour: hasBrightSky ? palette.ink : palette.pale,
      isUppercase: true,
      letterSpacingEm: 0.04,
      valign: 'top',
      subtitleColour: hasBrightSky ? palette.ink : palette.pale,
      maxFontSize: 50,
    },
  }
}

/** A small boat under a large sun, on waves that are drawn as layers or as fish scales. */
export const drawWaves: DrawScene = (stage) => {
  const { palette, random, width, height, scale } = stage
  const waterY = height * (stage.isWide ? 0.58 : 0.5)
  const drawSwell = (y: number, amplitude: number, waveLength: number, paint: string) => {
    const shiftX = random.pickNumber(0, waveLength)
    let pathData = `M${formatNumber(-shiftX)} ${formatNumber(height)}V${formatNumber(y)}`
    for (let x = -shiftX; x < width; x += waveLength)
      pathData += `q${formatPoints([waveLength / 4, -amplitude, waveLength / 2, 0])}t${formatNumber(waveLength / 2)} 0`
    return createPath(`${pathData}V${formatNumber(height)}Z`, paint)
  }
  const hasScalePattern = random.pickBoolean(0.45)
  const drawRing = (x: number, y: number) =>
    [16, 12, 8, 4]
      .map((radius, i) => createCircle(x, y, radius, i % 2 ? palette.pale : palette.deep))
      .join('')
  const water = hasScalePattern
    ? `<rect y="${formatNumber(waterY + 26)}" width="${width}" height="${formatNumber(height)}" fill="${defineTilePattern(stage, 32, 16, drawRing(0, 8) + drawRing(32, 8) + drawRing(16, 16) + drawRing(0, 24) + drawRing(32, 24))}"/>`
    : [palette.mid, palette.deep, palette.deep, palette.ink]
        .map((paint, i) =>
          drawSwell(
            waterY + (26 + i * 32) * scale,
            (16 + i * 6) * scale,
            74 + i * 24,
            i === 2 ? defineLinearGradient(stage, `0 ${palette.deep}, 1 ${palette.ink}`) : paint,
          ),
        )
        .join('')
  const boat = createGroup(
    `translate(${formatNumber(stage.focusX + random.pickNumber(-52, 44) * scale)} ${formatNumber(waterY + 10)}) rotate(${formatNumber(random.pickNumber(-9, 9))}) scale(${formatNumber(1.2 * scale)})`,
    createPath('M-18 0H20L13 9H-12Z', palette.ink) +
      createPath('M1-3V-40Q18-20 15-3Z', palette.pale) +
      createPath('M-2-3V-32Q-14-16-12-3Z', palette.pop),
  )
  return {
    art:
      drawSkyGradient(stage, palette.glow, palette.pale, palette.pale) +
      createCircle(
        stage.focusX + random.pickNumber(-26, 26),
        stage.focusY + random.pickNumber(-14, 14),
        random.pickNumber(40, 62) * scale,
        defineLinearGradient(stage, `0 ${palette.pop}, 1 ${palette.glow}`),
      ) +
      drawSwell(waterY, 7, 60, palette.mid) +
      boat +
      drawSwell(waterY + 12, 9, 52, defineLinearGradient(stage, `0 ${palette.mid}, 1 ${palette.deep}`)) +
      water +
      drawScrimGradient(stage, palette.ink, 0.5, 0.94),
    titleLettering: {
      box: [16, 208, 168, 80],
      typeface: random.pick(['oldstyle', 'geometric', 'didone'] as const),
      colour: palette.pale,
      subtitleColour: palette.glow,
      maxFontSize: 58,
    },
  }
}
