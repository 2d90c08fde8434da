import {
  type DrawScene,
  defineLinearGradient,
  defineRadialGradient,
  drawScrimGradient,
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

/** Draws the open leaf of a door with its hinges at `x`. */
function drawDoorLeaf({ palette, scale }: Stage, x: number, topY: number, footY: number): string {
  const edgeX = x + 15 * scale
  return createPolygon([x, topY, edgeX, topY - 9 * scale, edgeX, footY + 10 * scale, x, footY], palette.mid)
}

/** An open door in a dark wall. Light from the door falls on a person. */
export const drawDoorway: DrawScene = (stage) => {
  const { palette, random, height, scale } = stage
  const x = stage.focusX + (stage.isWide ? 20 : random.pickNumber(-30, 30))
  const halfWidth = 21 * scale
  const topY = height * (stage.isWide ? 0.16 : 0.2)
  const footY = height * (stage.isWide ? 0.68 : 0.62)
  const leanX = stage.isWide ? -90 : random.pick([-46, 46])
  const personScale = 1.15 * scale
  const person =
    createCircle(0, -33, 4.4, palette.ink) +
    createPath('M-5-28Q0-31 5-28L7-12H4.5L4 0H.8L0-12-.8 0H-4L-4.5-12H-7Z', palette.ink)
  const getShadowTransform = (distance: number) =>
    `translate(${formatNumber(x + leanX * distance)} ${formatNumber(footY + (height - footY) * distance * 0.7)}) scale(${formatNumber(personScale)})`
  const shadow = createGroup(
    `${getShadowTransform(0.12)} skewX(${leanX < 0 ? 32 : -32}) scale(1 -2.2)`,
    person,
    'opacity=".55"',
  )
  return {
    art:
      fillStage(
        stage,
        defineLinearGradient(
          stage,
          `0 ${palette.ink}, .62 ${palette.deep}, .63 ${palette.ink}, 1 ${palette.ink}`,
        ),
      ) +
      createEllipse(
        x,
        (topY + footY) / 2,
        halfWidth * 5,
        (footY - topY) * 0.8,
        defineRadialGradient(stage, `0 ${palette.pop} .5, 1 ${palette.pop} 0`),
      ) +
      createRect(
        x - halfWidth,
        topY,
        halfWidth * 2,
        footY - topY,
        defineLinearGradient(stage, `0 ${palette.pale}, 1 ${palette.glow}`),
      ) +
      createPolygon(
        [
          x - halfWidth,
          footY,
          x + halfWidth,
          footY,
          x + halfWidth * 2.6 + leanX,
          height,
          x - halfWidth * 2.6 + leanX,
          height,
        ],
        defineLinearGradient(stage, `0 ${palette.glow} .95, 1 ${palette.pop} .1`),
      ) +
      drawDoorLeaf(stage, x + halfWidth, topY, footY) +
      shadow +
      createGroup(getShadowTransform(0.12), person),
    titleLettering: {
      box: [16, 222, 168, 66],
      typeface: random.pick(['geometric', 'didone', 'condensed'] as const),
      colour: palette.pale,
      isUppercase: true,
      letterSpacingEm: 0.06,
      subtitleColour: palette.glow,
      maxFontSize: 48,
    },
  }
}

/** A lit window with a person, among dark windows. */
export const drawWindows: DrawScene = (stage) => {
  const { palette, random, width } = stage
  const windowSize = stage.isWide ? 50 : 46
  const litWindowCell = stage.isWide
    ? ([random.pickInteger(4, 6), random.pickInteger(0, 2)] as const)
    : ([random.pickInteger(0, 3), random.pickInteger(0, 2)] as const)
  let art = fillStage(stage, defineLinearGradient(stage, `0 ${palette.deep}, 1 ${palette.ink}`))
  let sills = ''
  for (let y = 0; y < 4; y++)
    for (let x = 0; x * windowSize < width; x++) {
      const windowX = x * windowSize + 10
      const windowY = y * windowSize * 1.12 + 14
      const isLit = x === litWindowCell[0] && y === litWindowCell[1]
      const paint = isLit ? palette.glow : random.pickBoolean(0.16) ? palette.mid : palette.ink
      art += createRect(
        windowX,
        windowY,
        windowSize - 20,
        windowSize - 10,
        paint,
        isLit ? '' : 'opacity=".75"',
      )
      sills += `M${formatPoints([windowX - 2, windowY + windowSize - 9])}h${windowSize - 16}`
    }
  const litWindowX = litWindowCell[0] * windowSize + windowSize / 2
  const litWindowY = litWindowCell[1] * windowSize * 1.12 + 14
  const person =
    createCircle(litWindowX - 3, litWindowY + 15, 5, palette.ink) +
    createPath(
      `M${formatPoints([litWindowX - 13, litWindowY + windowSize - 10])}q0-15 10-15t10 15Z`,
      palette.ink,
    )
  return {
    art:
      art +
      createLine(sills, palette.mid, 2.5, 'opacity=".6"') +
      createCircle(
        litWindowX,
        litWindowY + 18,
        78,
        defineRadialGradient(stage, `0 ${palette.glow} .5, 1 ${palette.glow} 0`),
      ) +
      person +
      createLine(
        `M${formatPoints([litWindowX + 8, litWindowY])}v${windowSize - 10}M${formatPoints([litWindowX - 15, litWindowY + 12])}h30`,
        palette.deep,
        1.2,
      ) +
      drawScrimGradient(stage, palette.ink, 0.6, 1),
    titleLettering: {
      box: [14, 222, 172, 66],
      typeface: random.pick(['mono', 'condensed', 'oldstyle'] as const),
      colour: palette.pale,
      align: 'start',
      subtitleColour: palette.glow,
      maxFontSize: 48,
    },
  }
}
