import { type DrawScene, defineLinearGradient, drawSkyGradient, fillStage, type Stage } from '../stage.ts'
import {
  createCircle,
  createLine,
  createPath,
  createPolygon,
  createRect,
  formatNumber,
  formatPoints,
} from '../svg.ts'

/** Draws the dashed line in the middle of a road that begins at the horizon, at `x` and `y`. */
function drawRoadDashes({ palette, height }: Stage, x: number, y: number): string {
  const dashOffsets = [0.05, 0.13, 0.26, 0.46, 0.74]
  const dashes = dashOffsets.map((depth) => {
    const dashY = y + (height - y) * depth
    const dashLength = (height - y) * depth * 0.42
    return createPolygon(
      [
        x - depth * 2.4,
        dashY,
        x + depth * 2.4,
        dashY,
        x + depth * 4,
        dashY + dashLength,
        x - depth * 4,
        dashY + dashLength,
      ],
      palette.glow,
    )
  })
  return dashes.join('')
}

/** A road that leads to the setting sun, with telegraph poles on its right. */
export const drawRoad: DrawScene = (stage) => {
  const { palette, random, width, height, scale } = stage
  const y = height * (stage.isWide ? 0.56 : 0.62)
  const x = stage.focusX + (stage.isWide ? 0 : random.pickNumber(-18, 18))
  const sunRadius = random.pickNumber(50, 64) * scale
  const stripes = Array.from({ length: 4 }, (_, i) =>
    createRect(
      x - sunRadius,
      y - sunRadius * (0.12 + i * 0.2),
      sunRadius * 2,
      1 + (4 - i) * 1.1,
      palette.glow,
      'opacity=".55"',
    ),
  ).join('')
  const roadSpread = width * (stage.isWide ? 0.34 : 0.5)
  const getPolePath = (depth: number) => {
    const poleX = x + (depth * roadSpread + 6) * 1.5
    const poleTop = y - 14 - depth * 130 * scale
    return `M${formatPoints([poleX, y + depth * (height - y) * 0.5])}L${formatPoints([poleX, poleTop])}M${formatPoints([poleX - 4 - depth * 16, poleTop + 3 + depth * 8])}h${formatNumber(8 + depth * 32)}`
  }
  const poles = [0.06, 0.16, 0.34, 0.66]
    .map((depth) => createLine(getPolePath(depth), palette.ink, 0.7 + depth * 4))
    .join('')
  return {
    art:
      fillStage(
        stage,
        defineLinearGradient(
          stage,
          `0 ${palette.ink}, .24 ${palette.deep}, .42 ${palette.mid}, .54 ${palette.glow}, .63 ${palette.pale}`,
        ),
      ) +
      createCircle(x, y, sunRadius, palette.pop) +
      stripes +
      createPath(
        `M0 ${formatNumber(y)}V${formatNumber(y - 16 * scale)}q${formatPoints([width * 0.2, -30 * scale, width * 0.42, 4])}T${formatPoints([width * 0.8, y - 14 * scale])}T${formatPoints([width, y - 22 * scale])}V${formatNumber(y)}Z`,
        palette.mid,
      ) +
      createRect(
        0,
        y,
        width,
        height - y,
        defineLinearGradient(stage, `0 ${palette.mid}, .25 ${palette.deep}, 1 ${palette.ink}`),
      ) +
      createPolygon(
        [x - 1.5, y, x + 1.5, y, x + roadSpread, height, x - roadSpread, height],
        defineLinearGradient(stage, `0 ${palette.deep}, 1 ${palette.ink}`),
      ) +
      createLine(
        `M${formatPoints([x - 1.5, y])}L${formatPoints([x - roadSpread * 0.9, height])}M${formatPoints([x + 1.5, y])}L${formatPoints([x + roadSpread * 0.9, height])}`,
        palette.pale,
        1.2,
        'opacity=".7"',
      ) +
      drawRoadDashes(stage, x, y) +
      poles,
    titleLettering: {
      box: [16, 20, 168, 96],
      typeface: random.pick(['condensed', 'geometric', 'slab'] as const),
      colour: palette.pale,
      isUppercase: true,
      valign: 'top',
      subtitleColour: palette.pale,
      maxFontSize: 58,
    },
  }
}

/** Flat-topped rocks and cacti in front of a large sun. */
export const drawMesa: DrawScene = (stage) => {
  const { palette, random, width, height, scale } = stage
  const y = height * (stage.isWide ? 0.7 : 0.64)
  const drawRock = (x: number, halfWidth: number, rockTop: number, paint: string) =>
    createPath(
      `M${formatPoints([x - halfWidth * 1.7, y + 4])}L${formatPoints([x - halfWidth * 1.1, y - rockTop * 0.3, x - halfWidth, y - rockTop, x - halfWidth * 0.5, y - rockTop - 3, x + halfWidth * 0.4, y - rockTop + 2, x + halfWidth, y - rockTop + 1, x + halfWidth * 1.08, y - rockTop * 0.34, x + halfWidth * 1.8, y + 4])}Z`,
      paint,
    )
  const drawCactus = (x: number, depth: number) =>
    createLine(
      `M${formatPoints([x, y + 40 * depth])}v${formatNumber(-70 * depth)}M${formatPoints([x, y])}h${formatNumber(-12 * depth)}v${formatNumber(-22 * depth)}M${formatPoints([x, y + 8 * depth])}h${formatNumber(12 * depth)}v${formatNumber(-30 * depth)}`,
      palette.ink,
      7 * depth,
      'stroke-linecap="round" stroke-linejoin="round"',
    )
  const bands = [1.55, 1.25, 1]
    .map((depth, i) =>
      createCircle(
        stage.focusX,
        y - 52 * scale,
        54 * scale * depth,
        [palette.glow, palette.glow, palette.pale][i]!,
        i < 2 ? `opacity="${0.35 + i * 0.3}"` : '',
      ),
    )
    .join('')
  return {
    art:
      drawSkyGradient(stage, palette.mid, palette.mid, palette.glow) +
      bands +
      drawRock(
        stage.focusX + random.pickNumber(44, 74) * scale,
        random.pickNumber(20, 36) * scale,
        random.pickNumber(40, 76) * scale,
        palette.mid,
      ) +
      drawRock(
        stage.focusX - random.pickNumber(54, 80) * scale,
        random.pickNumber(26, 40) * scale,
        random.pickNumber(66, 98) * scale,
        defineLinearGradient(stage, `0 ${palette.deep}, 1 ${palette.mid}`),
      ) +
      drawRock(
        stage.focusX - random.pickNumber(-8, 28) * scale,
        8 * scale,
        random.pickNumber(30, 54) * scale,
        palette.deep,
      ) +
      createPath(
        `M0 ${formatNumber(height)}V${formatNumber(y)}Q${formatPoints([width * 0.4, y - 8, width, y + 6])}V${formatNumber(height)}Z`,
        defineLinearGradient(stage, `0 ${palette.deep}, .5 ${palette.ink}, 1 ${palette.ink}`),
      ) +
      drawCactus(stage.isWide ? width * 0.9 : width * random.pickNumber(0.74, 0.84), 0.9 * scale) +
      drawCactus(stage.isWide ? width * 0.5 : width * 0.14, 0.5 * scale),
    titleLettering: {
      box: [14, 214, 172, 74],
      typeface: random.pick(['slab', 'heavy'] as const),
      colour: palette.glow,
      isUppercase: true,
      layout: 'stack',
      subtitleColour: palette.pale,
      maxFontSize: 58,
    },
  }
}
