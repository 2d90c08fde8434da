import { chooseReadableColour } from '../palette.ts'
import { type DrawScene, defineTilePattern, fillStage, type Stage } from '../stage.ts'
import {
  createCircle,
  createGroup,
  createLine,
  createPath,
  createRect,
  formatNumber,
  formatPoints,
} from '../svg.ts'

interface Composition {
  readonly art: string
  /** Angle in degrees at which the title rises to the right; 0 for a horizontal title. */
  readonly slopeDegrees: number
}

/** Draws slanted bars, a disc and a halftone screen. */
function drawSlantedBars(stage: Stage, firstColour: string, secondColour: string): Composition {
  const { random, width, height, scale } = stage
  const drawBar = (i: number) =>
    createRect(
      -80 + i * 16,
      -190 + i * 30 + random.pickNumber(-4, 4),
      420,
      [26, 13, 8, 4, 2][i]!,
      i % 2 ? secondColour : firstColour,
    )
  const barsTransform = `translate(${formatNumber(stage.isWide ? width * 0.56 : width * 0.2)} ${formatNumber(height * 0.72)}) rotate(-24)`
  const dotPattern = defineTilePattern(stage, 7, 7, createCircle(3.5, 3.5, 2.1, secondColour))
  return {
    art:
      createCircle(
        stage.focusX + 34 * scale,
        stage.focusY - 30 * scale,
        random.pickNumber(44, 56) * scale,
        firstColour,
      ) +
      createCircle(stage.focusX - 22 * scale, stage.focusY + 22 * scale, 50 * scale, dotPattern) +
      createGroup(barsTransform, [0, 1, 2, 3, 4].map(drawBar).join('')),
    slopeDegrees: 24,
  }
}

/** Draws a grid of half discs. */
function drawHalfDiscs(stage: Stage, firstColour: string, secondColour: string): Composition {
  const { random, scale } = stage
  const radius = 32 * scale
  const drawHalfDisc = (i: number) => {
    const x = stage.focusX + ((i % 2) - 0.5) * radius * 2
    const y = stage.focusY - 22 * scale + (Math.floor(i / 2) - 1) * radius * 2
    const rotation = `transform="rotate(${random.pickInteger(0, 3) * 90} ${formatPoints([x, y])})"`
    return createPath(
      `M${formatPoints([x - radius, y])}A${formatPoints([radius, radius])} 0 0 1 ${formatPoints([x + radius, y])}Z`,
      i % 3 ? firstColour : secondColour,
      rotation,
    )
  }
  const ruleLine = createRect(
    stage.focusX - radius * 2,
    stage.focusY - 22 * scale + radius * 2.6,
    radius * 4,
    5 * scale,
    firstColour,
  )
  return { art: Array.from({ length: 6 }, (_, i) => drawHalfDisc(i)).join('') + ruleLine, slopeDegrees: 0 }
}

/** Draws quarter rings around a corner. */
function drawArcs(stage: Stage, firstColour: string, secondColour: string): Composition {
  const { width, random, scale } = stage
  const drawRing = (i: number) =>
    createCircle(
      width,
      0,
      (200 - i * 30) * scale,
      'none',
      `stroke="${i % 3 === 1 ? secondColour : firstColour}" stroke-width="${formatNumber((i % 2 ? 6 : 17) * scale)}"`,
    )
  const ball = createCircle(
    stage.focusX - random.pickNumber(20, 44) * scale,
    stage.focusY + random.pickNumber(30, 44) * scale,
    17 * scale,
    secondColour,
  )
  return {
    art: Array.from({ length: 6 }, (_, i) => drawRing(i)).join('') + ball,
    slopeDegrees: random.pick([0, 6]),
  }
}

/** A composition in the Swiss Style: simple shapes and a large, sometimes slanted title. */
export const drawSwissStyle: DrawScene = (stage) => {
  const { palette, random } = stage
  const [backgroundColour, firstColour, secondColour] = random.pick([
    [palette.pop, palette.ink, palette.pale],
    [palette.pale, palette.pop, palette.ink],
    [palette.ink, palette.pop, palette.glow],
    [palette.glow, palette.ink, palette.pop],
  ] as const)
  const { art, slopeDegrees } = random.pick([drawSlantedBars, drawHalfDiscs, drawArcs])(
    stage,
    firstColour,
    secondColour,
  )
  return {
    art: fillStage(stage, backgroundColour) + art,
    titleLettering: {
      box: slopeDegrees > 20 ? [22, 186, 156, 70] : [16, 206, 168, 80],
      typeface: 'grotesk',
      colour: chooseReadableColour(
        backgroundColour,
        backgroundColour === palette.pop ? palette.pale : palette.ink,
        palette.ink,
        palette.pale,
      ),
      align: 'start',
      rotationDegrees: -slopeDegrees,
      maxFontSize: 58,
      layout: 'block',
      valign: slopeDegrees > 20 ? 'middle' : 'bottom',
      isFixedHeight: true,
      subtitleColour: chooseReadableColour(backgroundColour, palette.ink, palette.glow, palette.pale),
    },
  }
}

/** Tiles with geometric shapes in the style of the Bauhaus. */
export const drawTiles: DrawScene = (stage) => {
  const { palette, random, width, height } = stage
  const tileSize = stage.isWide ? 57 : 40
  const rowCount = stage.isWide ? 4 : 5
  const colours = [palette.pop, palette.glow, palette.pale, palette.mid, palette.deep, palette.ink]
  const halfTileSize = tileSize / 2
  // Paths from the corner of a tile: a quarter disc, a half disc, a triangle.
  const shapes = [
    `h${tileSize}a${tileSize} ${tileSize} 0 0 1-${tileSize} ${tileSize}z`,
    `h${tileSize}a${halfTileSize} ${halfTileSize} 0 0 1-${tileSize} 0z`,
    `h${tileSize}l-${tileSize} ${tileSize}z`,
  ]
  let art = fillStage(stage, palette.pale)
  for (let row = 0; row < rowCount; row++)
    for (let column = 0; column * tileSize < width; column++) {
      const [x, y] = [column * tileSize, row * tileSize]
      const backColour = random.pick(colours)
      const frontColour = random.pick(colours.filter((colour) => colour !== backColour))
      const turnDegrees = random.pickInteger(0, 3) * 90
      const rotation = turnDegrees
        ? `transform="rotate(${turnDegrees} ${formatNumber(x + halfTileSize)} ${formatNumber(y + halfTileSize)})"`
        : ''
      if (backColour !== palette.pale) art += createRect(x, y, tileSize + 0.3, tileSize + 0.3, backColour)
      art += random.pickBoolean(0.18)
        ? createCircle(x + halfTileSize, y + halfTileSize, tileSize * 0.3, frontColour)
        : createPath(`M${formatPoints([x, y])}${random.pick(shapes)}`, frontColour, rotation)
    }
  return {
    art: stage.isWide ? art : art + createRect(0, 200, width, height - 200, palette.pale),
    titleLettering: {
      box: [14, 208, 172, 80],
      typeface: random.pick(['geometric', 'grotesk'] as const),
      colour: palette.ink,
      align: 'start',
      valign: 'middle',
      subtitleColour: chooseReadableColour(palette.pale, palette.pop, palette.deep),
      maxFontSize: 60,
    },
  }
}

/** A large round shape: a target, a film reel or a spiral. */
export const drawRoundShape: DrawScene = (stage) => {
  const { palette, random, scale } = stage
  const hasDarkBackground = random.pickBoolean(0.5)
  const backgroundColour = hasDarkBackground ? palette.ink : palette.pop
  const radius = 84 * scale
  const shapeIndex = random.pickInteger(0, 2)
  /*
   * Moves the shape to the focus point and turns it anticlockwise. The loose end of the film on the reel then points to
   * the top right, away from the title.
   */
  const turnTowardsCorner = (innerMarkup: string) =>
    createGroup(
      `translate(${formatNumber(stage.focusX)} ${formatNumber(stage.focusY)}) rotate(${-random.pickInteger(20, 71)})`,
      innerMarkup,
    )
  const targetRings = Array.from({ length: 7 }, (_, i) =>
    createCircle(
      i * 2.2 * scale,
      i * 1.4 * scale,
      radius * (1 - i / 7),
      i % 2
        ? backgroundColour
        : hasDarkBackground
          ? [palette.pop, palette.glow, palette.pale, palette.pop][i / 2]!
          : palette.ink,
    ),
  ).join('')
  const holes = Array.from({ length: 5 }, (_, i) =>
    createCircle(
      Math.cos(i * 1.257) * radius * 0.56,
      Math.sin(i * 1.257) * radius * 0.56,
      radius * 0.25,
      backgroundColour,
    ),
  ).join('')
  const reel =
    createCircle(0, 0, radius, hasDarkBackground ? palette.pop : palette.ink) +
    createCircle(0, 0, radius * 0.9, 'none', `stroke="${palette.pale}" stroke-width="1.5"`) +
    holes +
    createCircle(0, 0, radius * 0.14, backgroundColour) +
    createLine(
      `M${formatPoints([0, radius])}Q${formatPoints([radius * 1.6, radius, radius * 2.6, radius * 0.4])}`,
      hasDarkBackground ? palette.pop : palette.ink,
      9 * scale,
    )
  const spiralTurns = Array.from(
    { length: 13 },
    (_, i) =>
      `<ellipse rx="${formatNumber(radius)}" ry="${formatNumber(radius * 0.36)}" transform="rotate(${formatNumber(i * 13.85)})"/>`,
  ).join('')
  const spiral = `<g fill="none" stroke="${hasDarkBackground ? palette.glow : palette.pale}" stroke-width="1.3">${spiralTurns}</g>${createCircle(0, 0, 6 * scale, hasDarkBackground ? palette.pop : palette.ink)}`
  return {
    art: fillStage(stage, backgroundColour) + turnTowardsCorner([targetRings, reel, spiral][shapeIndex]!),
    titleLettering: {
      box: [14, 214, 172, 74],
      typeface: random.pick(['condensed', 'grotesk', 'didone'] as const),
      colour: chooseReadableColour(backgroundColour, palette.pale, palette.ink),
      isUppercase: true,
      isFixedHeight: true,
      subtitleColour: hasDarkBackground ? palette.glow : palette.ink,
      maxFontSize: 56,
    },
  }
}
