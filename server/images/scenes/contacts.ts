import { chooseReadableColour, type Palette } from '../palette.ts'
import { type DrawScene, fillStage } from '../stage.ts'
import { createCircle, createLine, createPath, createRect, formatNumber, formatPoints } from '../svg.ts'

/** Motifs of a frame: hills, a person, roofs, water, a road. Pale frames use only the first three. */
const frameMotifs = [
  (palette: Palette, x: number, y: number, cellWidth: number, cellHeight: number) =>
    createCircle(x + cellWidth * 0.6, y + cellHeight * 0.42, 9, palette.pale) +
    createPath(
      `M${formatPoints([x, y + cellHeight])}V${formatNumber(y + cellHeight * 0.7)}l${formatPoints([cellWidth * 0.3, -cellHeight * 0.3, cellWidth * 0.3, cellHeight * 0.25, cellWidth * 0.4, -cellHeight * 0.2])}V${formatNumber(y + cellHeight)}Z`,
      palette.ink,
    ),
  (palette: Palette, x: number, y: number, cellWidth: number, cellHeight: number) =>
    createCircle(x + cellWidth / 2, y + cellHeight * 0.4, cellHeight * 0.2, palette.ink) +
    createPath(
      `M${formatPoints([x + cellWidth * 0.2, y + cellHeight])}q0-${formatNumber(cellHeight * 0.36)} ${formatNumber(cellWidth * 0.3)}-${formatNumber(cellHeight * 0.36)}t${formatNumber(cellWidth * 0.3)} ${formatNumber(cellHeight * 0.36)}Z`,
      palette.ink,
    ),
  (palette: Palette, x: number, y: number, cellWidth: number, cellHeight: number) =>
    createPath(
      `M${formatPoints([x, y + cellHeight])}V${formatNumber(y + cellHeight * 0.5)}h10v-9h9v15h12V${formatNumber(y + cellHeight * 0.24)}h10v20h${formatNumber(cellWidth - 41)}V${formatNumber(y + cellHeight)}Z`,
      palette.ink,
    ),
  (palette: Palette, x: number, y: number, cellWidth: number, cellHeight: number) =>
    createLine(
      `M${formatPoints([x, y + cellHeight * 0.6])}q${formatPoints([cellWidth / 4, -9, cellWidth / 2, 0])}t${formatNumber(cellWidth / 2)} 0M${formatPoints([x, y + cellHeight * 0.78])}q${formatPoints([cellWidth / 4, -9, cellWidth / 2, 0])}t${formatNumber(cellWidth / 2)} 0`,
      palette.ink,
      3,
    ),
  (palette: Palette, x: number, y: number, cellWidth: number, cellHeight: number) =>
    createPath(
      `M${formatPoints([x + cellWidth * 0.46, y + cellHeight * 0.3])}h${formatNumber(cellWidth * 0.08)}L${formatPoints([x + cellWidth * 0.9, y + cellHeight, x + cellWidth * 0.1, y + cellHeight])}Z`,
      palette.ink,
    ),
] as const

/** A contact sheet of photographs with one frame marked. */
export const drawContactSheet: DrawScene = (stage) => {
  const { palette, random, width } = stage
  const cellWidth = stage.isWide ? 74 : 58
  const cellHeight = stage.isWide ? 52 : 42
  const [columnCount, rowCount] = stage.isWide ? [5, 4] : [3, 4]
  const hasLightBackground = random.pickBoolean(0.4)
  const tones = [palette.mid, palette.glow, palette.pale, palette.deep, palette.mid]
  const leftMargin = stage.isWide ? 8 : 9
  let art = fillStage(stage, hasLightBackground ? palette.pale : palette.ink)
  const markedIndex = stage.isWide ? 8 : 4
  for (let i = 0; i < columnCount * rowCount; i++) {
    const x = leftMargin + (i % columnCount) * (cellWidth + 4)
    const y = 10 + Math.floor(i / columnCount) * (cellHeight + 8)
    const tone = i === markedIndex ? palette.pop : random.pick(tones)
    art +=
      createRect(x, y, cellWidth, cellHeight, tone) +
      random.pick(frameMotifs.slice(0, tone === palette.pale ? 3 : 5))(palette, x, y, cellWidth, cellHeight)
  }
  const filmEdges = Array.from(
    { length: rowCount + 1 },
    (_, i) => `M0 ${formatNumber(6 + i * (cellHeight + 8))}H${width}`,
  ).join('')
  const markX = leftMargin + (markedIndex % columnCount) * (cellWidth + 4) + cellWidth / 2
  const markY = 10 + Math.floor(markedIndex / columnCount) * (cellHeight + 8) + cellHeight / 2
  const markStroke = createLine(
    `M${formatPoints([markX - cellWidth * 0.6, markY])}C${formatPoints([markX - cellWidth * 0.6, markY - cellHeight, markX + cellWidth * 0.66, markY - cellHeight * 0.8, markX + cellWidth * 0.62, markY, markX + cellWidth * 0.6, markY + cellHeight * 0.9, markX - cellWidth * 0.6, markY + cellHeight * 0.8, markX - cellWidth * 0.52, markY - cellHeight * 0.3])}`,
    hasLightBackground ? palette.ink : palette.pale,
    3,
    'stroke-linecap="round"',
  )
  return {
    art:
      art +
      createLine(
        filmEdges,
        hasLightBackground ? palette.ink : palette.glow,
        2,
        'stroke-dasharray="3 3.4" opacity=".55"',
      ) +
      markStroke,
    titleLettering: {
      box: [10, 218, 180, 70],
      typeface: random.pick(['grotesk', 'mono', 'condensed'] as const),
      colour: hasLightBackground ? palette.ink : palette.pale,
      align: 'start',
      isFixedHeight: true,
      subtitleColour: chooseReadableColour(
        hasLightBackground ? palette.pale : palette.ink,
        palette.pop,
        palette.glow,
        palette.deep,
      ),
      maxFontSize: 58,
    },
  }
}
