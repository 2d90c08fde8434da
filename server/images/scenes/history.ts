import {
  type DrawScene,
  defineLinearGradient,
  defineRadialGradient,
  defineTilePattern,
  drawScrimGradient,
  drawSkyGradient,
  fillStage,
  type Stage,
} from '../stage.ts'
import {
  createCircle,
  createGroup,
  createLine,
  createPath,
  createRect,
  formatNumber,
  formatPoints,
} from '../svg.ts'

/** Returns the paint of a lattice of stars. */
function defineLattice(stage: Stage): string {
  const { palette } = stage
  const getStarPath = (radius: number) =>
    `M${formatPoints(Array.from({ length: 16 }, (_, i) => [Math.cos(i * 0.3927) * (i % 2 ? radius * 0.7 : radius), Math.sin(i * 0.3927) * (i % 2 ? radius * 0.7 : radius)]).flat())}Z`
  return defineTilePattern(
    stage,
    28,
    28,
    createGroup(
      'translate(14 14)',
      createPath(getStarPath(10), 'none', `stroke="${palette.glow}" stroke-width=".8"`) +
        createLine(
          'M-14 0H-10M10 0H14M0-14V-10M0 10V14M-14-14-7-7M14-14 7-7M-14 14-7 7M14 14 7 7',
          palette.glow,
          0.8,
        ),
    ),
  )
}

/** Nested arches over dunes with a camel and a moon, on a lattice of stars. */
export const drawArches: DrawScene = (stage) => {
  const { palette, random, width, height, scale } = stage
  const latticePaint = defineLattice(stage)
  const getArchPath = (scaleFactor: number) => {
    const halfWidth = 74 * scaleFactor * scale
    const archFootY = height * (stage.isWide ? 0.95 : 0.7)
    const springY = archFootY - 86 * scaleFactor * scale
    const x = stage.focusX
    return `M${formatPoints([x - halfWidth, archFootY])}V${formatNumber(springY)}C${formatPoints([x - halfWidth * 1.1, springY - halfWidth * 0.7, x - halfWidth * 0.5, springY - halfWidth * 0.86, x, springY - halfWidth * 1.32, x + halfWidth * 0.5, springY - halfWidth * 0.86, x + halfWidth * 1.1, springY - halfWidth * 0.7, x + halfWidth, springY])}V${formatNumber(archFootY)}Z`
  }
  const footY = height * (stage.isWide ? 0.95 : 0.7)
  const drawDune = (y: number, paint: string) =>
    createPath(
      `M${formatPoints([stage.focusX - 58 * scale, y])}q${formatPoints([30 * scale, -22 * scale, 62 * scale, -2 * scale])}t${formatPoints([60 * scale, -8 * scale])}V${formatNumber(footY)}H${formatNumber(stage.focusX - 58 * scale)}Z`,
      paint,
    )
  const camel = createGroup(
    `translate(${formatPoints([stage.focusX - 12 * scale, footY - 37 * scale])}) scale(${formatNumber(0.62 * scale)})`,
    createPath(
      'M-26 20V2Q-22-8-14-6-8-20 0-8 6-20 12-6 20-8 24-20 26-28 36-24L36-19 30-18Q28 0 18 4V20H15L14 5H-16L-20 20Z',
      palette.ink,
    ),
  )
  return {
    art:
      drawSkyGradient(stage, palette.deep, palette.ink) +
      fillStage(stage, latticePaint, 'opacity=".42"') +
      createPath(getArchPath(1.16), palette.ink) +
      createPath(getArchPath(1.08), palette.mid) +
      createPath(getArchPath(0.98), palette.deep, `stroke="${palette.glow}" stroke-width="1.6"`) +
      createPath(
        getArchPath(0.84),
        defineLinearGradient(stage, `0 ${palette.mid}, .55 ${palette.glow}, 1 ${palette.pale}`),
      ) +
      createCircle(
        stage.focusX + random.pickNumber(-10, 18) * scale,
        footY - 104 * scale,
        21 * scale,
        palette.pale,
      ) +
      drawDune(footY - 26 * scale, palette.pop) +
      camel +
      drawDune(footY - 13 * scale, palette.deep) +
      (stage.isWide
        ? ''
        : createRect(0, footY, width, height, palette.ink) +
          createLine(`M0 ${formatNumber(footY)}H${width}`, palette.glow, 1.6)),
    titleLettering: {
      box: [14, 220, 172, 68],
      typeface: random.pick(['didone', 'oldstyle'] as const),
      colour: palette.pale,
      isUppercase: true,
      valign: 'middle',
      letterSpacingEm: 0.06,
      subtitleColour: palette.glow,
      maxFontSize: 48,
    },
  }
}

/** Returns the path of the broken gable, which ends at `roofX` and stands on the lintel at height `y`. */
function getGablePath({ focusX, scale }: Stage, roofX: number, y: number): string {
  return (
    `M${formatPoints([focusX - 96 * scale, y])}H${formatNumber(roofX)}l${formatPoints([9 * scale, -7 * scale, -13 * scale, -9 * scale, -18 * scale, -8 * scale])}` +
    `L${formatPoints([focusX - 96 * scale, y - 14 * scale])}Z`
  )
}

/** The ruin of a temple in front of a low sun. */
export const drawColumns: DrawScene = (stage) => {
  const { palette, random, height, scale } = stage
  const footY = height * (stage.isWide ? 0.84 : 0.7)
  const columnHeight = 128 * scale
  const columnGradient = defineLinearGradient(
    stage,
    `0 ${palette.ink}, .3 ${palette.deep}, .55 ${palette.mid}, .8 ${palette.deep}, 1 ${palette.ink}`,
    '',
  )
  const drawColumn = (x: number, fraction: number) => {
    const capitalY = footY - columnHeight * fraction
    const capital =
      fraction === 1
        ? createRect(x - 14 * scale, capitalY - 6 * scale, 28 * scale, 6 * scale, columnGradient) +
          createRect(x - 11 * scale, capitalY, 22 * scale, 4 * scale, palette.ink)
        : ''
    return (
      createPath(
        `M${formatPoints([x - 9 * scale, footY])}L${formatPoints([x - 7.6 * scale, capitalY + (fraction < 1 ? 7 : 0), x - 2, capitalY, x + 2 * scale, capitalY + (fraction < 1 ? 9 * scale : 0), x + 7.6 * scale, capitalY, x + 9 * scale, footY])}Z`,
        columnGradient,
      ) +
      capital +
      createRect(x - 12 * scale, footY - 5 * scale, 24 * scale, 6 * scale, palette.ink)
    )
  }
  const firstBrokenColumnIndex = random.pickInteger(3, 4)
  const columnRow = [0, 1, 2, 3, 4]
    .map((i) =>
      drawColumn(
        stage.focusX + (i - 2) * 39 * scale,
        i < firstBrokenColumnIndex ? 1 : random.pickNumber(0.35, 0.7),
      ),
    )
    .join('')
  const roofX = stage.focusX + (firstBrokenColumnIndex - 2.7) * 39 * scale
  const lintelY = footY - columnHeight - 6 * scale
  return {
    art:
      drawSkyGradient(stage, palette.mid, palette.glow, palette.pale) +
      createCircle(stage.focusX + 22 * scale, footY - 54 * scale, 50 * scale, palette.pop) +
      createCircle(
        stage.focusX + 22 * scale,
        footY - 54 * scale,
        100 * scale,
        defineRadialGradient(stage, `.4 ${palette.pale} .7, 1 ${palette.pale} 0`),
      ) +
      columnRow +
      createPath(getGablePath(stage, roofX, lintelY), palette.ink) +
      createRect(
        0,
        footY,
        stage.width,
        height - footY,
        defineLinearGradient(stage, `0 ${palette.deep}, .3 ${palette.ink}, 1 ${palette.ink}`),
      ),
    titleLettering: {
      box: [14, 224, 172, 64],
      typeface: random.pick(['oldstyle', 'didone'] as const),
      colour: palette.pale,
      isUppercase: true,
      letterSpacingEm: 0.08,
      subtitleColour: palette.glow,
      maxFontSize: 48,
    },
  }
}

/** Draws a row of soldiers. The soldiers in the middle stand in front of the others. */
function drawSoldiers({ palette, focusX, scale }: Stage, y: number): string {
  const drawSoldier = (x: number, soldierScale: number) =>
    createGroup(
      `translate(${formatPoints([x, y + 62 * scale])}) scale(${formatNumber(soldierScale)})`,
      createPath('M-12 60V4Q-12-10 0-10T12 4V60Z', palette.ink) +
        createCircle(0, -18, 9, palette.ink) +
        createPath('M-11-19Q-11-30 0-30T11-19L14-16H-14Z', palette.ink) +
        createLine('M10 10 18-52', palette.ink, 2.4),
    )
  const soldiers = [-78, -50, 50, 78, -25, 25, 0].map((x, i) =>
    drawSoldier(focusX + x * scale, (i > 3 ? (i === 6 ? 1.3 : 1.12) : 0.95) * scale),
  )
  return soldiers.join('')
}

/** A propaganda poster with rays, an emblem and a row of soldiers. */
export const drawBanner: DrawScene = (stage) => {
  const { palette, random, height, scale } = stage
  const y = height * (stage.isWide ? 0.56 : 0.5)
  const rayCount = 14
  const rays = Array.from({ length: rayCount }, (_, i) => {
    const startAngle = (i / rayCount) * 6.283 - 0.11
    const endAngle = startAngle + 6.283 / rayCount / 2
    return `M${formatPoints([stage.focusX, y])}L${formatPoints([stage.focusX + Math.cos(startAngle) * 420, y + Math.sin(startAngle) * 420, stage.focusX + Math.cos(endAngle) * 420, y + Math.sin(endAngle) * 420])}Z`
  }).join('')
  const [backgroundColour, accent] = random.pick([
    [palette.pop, palette.glow],
    [palette.glow, palette.pale],
    [palette.deep, palette.pop],
  ] as const)
  const starPoints = formatPoints(
    Array.from({ length: 10 }, (_, i) => [
      Math.sin(i * 0.6283) * (i % 2 ? 15 : 38),
      -Math.cos(i * 0.6283) * (i % 2 ? 15 : 38),
    ]).flat(),
  )
  const emblem = random.pick([
    createPath(`M${starPoints}Z`, palette.pale),
    createPath(
      'M-60 8-6-4-2-40Q0-48 2-40L6-4 60 8V16L6 14 4 36 18 44V50H-18V44L-4 36-6 14-60 16Z',
      palette.pale,
    ),
    createPath('M0-44C26-30 40-32 40-32 40 10 26 32 0 46-26 32-40 10-40-32-40-32-26-30 0-44Z', palette.pale) +
      createPath('M0-30V32Q24 20 26-20 14-22 0-30Z', accent),
  ])
  return {
    art:
      fillStage(stage, backgroundColour) +
      createPath(rays, accent, 'opacity=".85"') +
      createCircle(stage.focusX, y - 48 * scale, 54 * scale, palette.ink) +
      createCircle(stage.focusX, y - 48 * scale, 49 * scale, backgroundColour) +
      createGroup(
        `translate(${formatPoints([stage.focusX, y - 48 * scale])}) scale(${formatNumber(0.86 * scale)})`,
        emblem,
      ) +
      drawSoldiers(stage, y) +
      drawScrimGradient(stage, palette.ink, 0.64, 1) +
      createRect(0, height * 0.86, stage.width, height * 0.15, palette.ink),
    titleLettering: {
      box: [12, 220, 176, 68],
      typeface: random.pick(['heavy', 'slab', 'condensed'] as const),
      colour: palette.pale,
      isUppercase: true,
      layout: 'stack',
      subtitleColour: palette.glow,
      maxFontSize: 58,
    },
  }
}
