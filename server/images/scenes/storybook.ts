import { type DrawScene, defineLinearGradient, drawScrimGradient, drawSkyGradient } from '../stage.ts'
import {
  createCircle,
  createDots,
  createGroup,
  createLine,
  createPath,
  createPolygon,
  createRect,
  formatNumber,
  formatPoints,
} from '../svg.ts'
import { drawStars } from './cosmos.ts'

/** A castle on a floating rock above clouds. */
export const drawCastle: DrawScene = (stage) => {
  const { palette, random, width, height, scale } = stage
  const getTowerPath = (x: number, halfWidth: number, topY: number, roofHeight: number) =>
    `M${formatPoints([x - halfWidth, 10])}V${formatNumber(-topY)}h${formatNumber(-halfWidth * 0.3)}L${formatPoints([x, -topY - roofHeight, x + halfWidth * 1.3, -topY])}h${formatNumber(-halfWidth * 0.3)}V10Z`
  const castlePath = `${getTowerPath(0, 8, random.pickNumber(62, 76), 32) + getTowerPath(-17, 6, 40, 24) + getTowerPath(18, 6.5, random.pickNumber(44, 54), 26) + getTowerPath(-31, 5, random.pickNumber(18, 30), 20) + getTowerPath(32, 4.5, 20, 18)}M-38 12V-14H38V12Z`
  const litWindows = createDots(
    [
      [0, -50],
      [0, -36],
      [-17, -28],
      [18, -34],
      [-6, -4],
      [8, -4],
      [-31, -10],
    ],
    palette.glow,
    3.2,
  )
  const rockPath = `M-60 8Q-20 0 0 8T60 6Q54 30 34 42T14 92L4 128-6 100Q-30 70-38 44T-60 8Z`
  const drawCloud = (x: number, y: number, scaleFactor: number, paint: string, attributes = '') =>
    createGroup(
      `translate(${formatNumber(x)} ${formatNumber(y)}) scale(${formatNumber(scaleFactor)})`,
      createPath('M-80 16Q-84 0-62 0-56-20-32-14-18-34 6-22 30-34 40-12 66-14 66 2 86 4 80 16Z', paint),
      attributes,
    )
  const y = stage.focusY + (stage.isWide ? 8 : 20)
  return {
    art:
      drawSkyGradient(stage, palette.deep, palette.mid, palette.glow, palette.pale) +
      drawStars(stage, 24) +
      createCircle(stage.focusX + 30 * scale, y - 50 * scale, 54 * scale, palette.pale, 'opacity=".85"') +
      drawCloud(width * 0.12, height * 0.46, 0.7 * scale, palette.pale, 'opacity=".5"') +
      drawCloud(width * 0.95, height * 0.34, 0.6 * scale, palette.pale, 'opacity=".45"') +
      createGroup(
        `translate(${formatNumber(stage.focusX)} ${formatNumber(y)}) scale(${formatNumber(scale)})`,
        createPath(rockPath, defineLinearGradient(stage, `0 ${palette.deep}, 1 ${palette.mid}`)) +
          createPath(castlePath, palette.ink) +
          litWindows,
      ) +
      drawCloud(stage.focusX - 60 * scale, y + 66 * scale, 0.8 * scale, palette.glow) +
      drawCloud(stage.focusX + 66 * scale, y + 84 * scale, 0.9 * scale, palette.pale) +
      drawCloud(stage.focusX - 30 * scale, y + 136 * scale, 1.7 * scale, palette.mid) +
      drawScrimGradient(stage, palette.deep, 0.54, 1),
    titleLettering: {
      box: [14, 208, 172, 80],
      typeface: random.pick(['oldstyle', 'didone', 'script'] as const),
      colour: palette.pale,
      subtitleColour: palette.glow,
      maxFontSize: 58,
    },
  }
}

/** Kites over paper hills with a house. */
export const drawKites: DrawScene = (stage) => {
  const { palette, random, width, height, scale } = stage
  const drawHill = (y: number, rise: number, paint: string) => {
    const pathData = `M-5 ${formatNumber(height + 5)}V${formatNumber(y + random.pickNumber(-10, 14))}C${formatPoints([width * 0.25, y - rise, width * 0.4, y + rise * 0.6, width * 0.62, y, width * 0.8, y - rise * 0.7, width * 0.9, y - rise * 0.4, width + 5, y - random.pickNumber(0, 16)])}V${formatNumber(height + 5)}Z`
    return (
      createPath(pathData, palette.ink, 'opacity=".16" transform="translate(0 -4)"') +
      createPath(pathData, paint)
    )
  }
  const drawCloud = (x: number, y: number, scaleFactor: number) =>
    createGroup(
      `translate(${formatPoints([x, y])}) scale(${formatNumber(scaleFactor)})`,
      createPath('M-30 10A12 12 0 0 1-24-10 18 18 0 0 1 10-14 14 14 0 0 1 30 10Z', palette.pale),
    )
  const drawKite = (x: number, y: number, scaleFactor: number, rightColour: string, leftColour: string) =>
    createLine(
      `M${formatPoints([x, y + 26 * scaleFactor])}q-14 16 0 30t-6 ${formatNumber(34 * scaleFactor)}`,
      palette.pale,
      1.2,
    ) +
    createGroup(
      `translate(${formatPoints([x, y])}) rotate(${random.pickInteger(-18, 26)}) scale(${formatNumber(scaleFactor)})`,
      createPath('M0-30 20-4 0 28-20-4Z', rightColour) +
        createPath('M0-30V28L-20-4ZM0-4', leftColour) +
        createLine('M0-30V28M-20-4H20', palette.ink, 0.7),
    )
  const drawTree = (x: number, y: number, scaleFactor: number) =>
    createRect(x - 1.5 * scaleFactor, y, 3 * scaleFactor, 16 * scaleFactor, palette.ink) +
    createCircle(x, y - 5 * scaleFactor, 12 * scaleFactor, palette.deep) +
    createCircle(x - 3 * scaleFactor, y - 8 * scaleFactor, 7 * scaleFactor, palette.mid)
  const hillY = height * (stage.isWide ? 0.64 : 0.47)
  const houseX = stage.focusX + random.pickNumber(-34, 30)
  const house = createGroup(
    `translate(${formatPoints([houseX, hillY + 12 * scale])}) scale(${formatNumber(scale)})`,
    createPath('M-15 14V-8H15V14Z', palette.pale) +
      createPath('M-20-7 0-26 20-7Z', palette.pop) +
      createPath('M-4 14V2H4V14Z', palette.deep) +
      createRect(7, -22, 5, 12, palette.pop),
  )
  return {
    art:
      drawSkyGradient(stage, palette.mid, palette.mid, palette.pale) +
      createCircle(width * (stage.isWide ? 0.86 : 0.78), 50 * scale, 24 * scale, palette.glow) +
      createCircle(
        width * (stage.isWide ? 0.86 : 0.78),
        50 * scale,
        34 * scale,
        palette.glow,
        'opacity=".35"',
      ) +
      drawCloud(width * 0.2, 36 * scale, 0.9 * scale) +
      drawCloud(width * 0.62, 88 * scale, 0.7 * scale) +
      drawKite(stage.focusX - 36 * scale, 62 * scale, 1.1 * scale, palette.pop, palette.glow) +
      drawKite(stage.focusX + 22 * scale, 100 * scale, 0.72 * scale, palette.glow, palette.pop) +
      drawHill(hillY, 40 * scale, defineLinearGradient(stage, `0 ${palette.glow}, 1 ${palette.mid}`)) +
      house +
      drawTree(houseX + 36 * scale, hillY + 8 * scale, 1.1 * scale) +
      drawTree(houseX - 40 * scale, hillY + 20 * scale, 0.8 * scale) +
      drawHill(hillY + 42 * scale, 34 * scale, palette.mid) +
      drawTree(width * 0.12, hillY + 36 * scale, 1.3 * scale) +
      drawHill(
        hillY + 66 * scale,
        22 * scale,
        defineLinearGradient(stage, `0 ${palette.deep}, 1 ${palette.ink}`),
      ),
    titleLettering: {
      box: [12, 206, 176, 84],
      typeface: random.pick(['geometric', 'heavy', 'grotesk'] as const),
      colour: palette.pale,
      hasStroke: true,
      valign: 'middle',
      subtitleColour: palette.glow,
      maxFontSize: 58,
    },
  }
}

/** A whale under water, lit from above. */
export const drawUnderwater: DrawScene = (stage) => {
  const { palette, random, width, height, scale } = stage
  const drawLightShaft = (x: number) =>
    createPolygon(
      [x, -4, x + 22, -4, x - 30, height * 0.75, x - 90, height * 0.75],
      palette.pale,
      'opacity=".13"',
    )
  const whale =
    createPath(
      'M-78 8C-70-34-10-46 34-24 54-14 62-14 72-34 80-30 84-28 96-36 96-14 86-2 72 2 60 28 20 44-26 40-60 38-80 28-78 8Z',
      defineLinearGradient(stage, `0 ${palette.deep}, 1 ${palette.ink}`),
    ) +
    createPath('M-77 12C-50 22-20 18 10 34-10 42-30 41-40 39-62 36-78 28-77 12Z', palette.pale) +
    createLine('M-60 22q20 4 34 14M-44 20q20 4 36 14', palette.mid, 1.4) +
    createCircle(-50, 4, 3, palette.pale) +
    createPath('M-14 24Q-4 50-24 60-34 44-30 26Z', palette.ink)
  const fish = Array.from({ length: 7 }, () => {
    const x = stage.focusX + random.pickNumber(-90, 90) * scale
    const y = height * random.pickNumber(0.1, 0.62)
    return `M${formatPoints([x, y])}q6-6 12 0l5-4v8l-5-4q-6 6-12 0Z`
  }).join('')
  const seaweed = Array.from(
    { length: stage.isWide ? 14 : 8 },
    (_, i) =>
      `M${formatPoints([(i + 0.5) * (width / (stage.isWide ? 14 : 8)) + random.pickNumber(-8, 8), height + 4])}q${formatPoints([random.pickNumber(-14, 14), -24, 0, -random.pickNumber(36, 60)])}`,
  ).join('')
  const bubbles = Array.from({ length: 9 }, () =>
    createCircle(
      stage.focusX - 60 * scale + random.pickNumber(-16, 30),
      height * random.pickNumber(0.04, 0.34),
      random.pickNumber(1.4, 4.5),
      'none',
      `stroke="${palette.pale}" stroke-width=".8"`,
    ),
  ).join('')
  return {
    art:
      drawSkyGradient(stage, palette.glow, palette.mid, palette.deep, palette.ink) +
      drawLightShaft(width * 0.4) +
      drawLightShaft(width * 0.66) +
      drawLightShaft(width * 0.98) +
      createPath(fish, palette.pop) +
      createGroup(
        `translate(${formatPoints([stage.focusX, stage.focusY + 6])}) rotate(${random.pickInteger(-14, 8)}) scale(${formatNumber(1.05 * scale)})`,
        whale,
      ) +
      bubbles +
      createLine(seaweed, palette.ink, 5, 'stroke-linecap="round" opacity=".8"'),
    titleLettering: {
      box: [12, 200, 176, 78],
      typeface: random.pick(['geometric', 'heavy', 'script'] as const),
      colour: palette.pale,
      hasStroke: true,
      subtitleColour: palette.glow,
      maxFontSize: 58,
    },
  }
}
