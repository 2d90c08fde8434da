import {
  type DrawScene,
  defineClipPath,
  defineLinearGradient,
  defineRadialGradient,
  drawScrimGradient,
  drawSkyGradient,
  fillStage,
  type Stage,
} from '../stage.ts'
import {
  createCircle,
  createDots,
  createEllipse,
  createGroup,
  createLine,
  createPath,
  formatNumber,
  formatPoints,
} from '../svg.ts'

export const drawStars = (stage: Stage, starCount: number) => {
  const createPoints = () =>
    Array.from(
      { length: starCount },
      () =>
        [stage.random.pickNumber(0, stage.width), stage.random.pickNumber(0, stage.height * 0.85)] as const,
    )
  return (
    createDots(createPoints(), stage.palette.pale, 0.8, 'opacity=".7"') +
    createDots(createPoints().slice(0, starCount / 4), stage.palette.pale, 1.6)
  )
}

/** Draws the orbits of a planet of radius `planetRadius`, each with a moon. */
function drawOrbitLines({ palette, random, scale }: Stage, planetRadius: number): string {
  const orbits = [2.5, 3.3, 4.2].map((radiusFactor, i) => {
    const angleRadians = random.pickNumber(0, 6.3)
    return (
      createEllipse(
        0,
        0,
        planetRadius * radiusFactor,
        planetRadius * radiusFactor * 0.42,
        'none',
        `stroke="${palette.pale}" stroke-width=".5" opacity=".4"`,
      ) +
      createCircle(
        Math.cos(angleRadians) * planetRadius * radiusFactor,
        Math.sin(angleRadians) * planetRadius * radiusFactor * 0.42,
        (5 - i) * scale,
        i === 1 ? palette.pop : palette.pale,
      )
    )
  })
  return orbits.join('')
}

/** A planet lit from the side, with rings and thin orbits. */
export const drawOrbits: DrawScene = (stage) => {
  const { palette, random, scale } = stage
  const radius = random.pickNumber(48, 58) * scale
  const tiltDegrees = random.pick([-1, 1]) * random.pickNumber(14, 28)
  const ballClip = defineClipPath(stage, createCircle(0, 0, radius, palette.ink))
  const bands = Array.from({ length: 5 }, (_, i) =>
    createEllipse(
      0,
      -radius + radius * 0.42 * (i + 0.3),
      radius * 1.2,
      radius * random.pickNumber(0.06, 0.17),
      i % 2 ? palette.pale : palette.mid,
      `opacity="${i % 2 ? 0.35 : 0.6}"`,
    ),
  ).join('')
  const shadeGradient = defineRadialGradient(
    stage,
    `.3 ${palette.ink} 0, .75 ${palette.ink} .6, 1 ${palette.ink} .95`,
    'cx=".3" cy=".28" r=".85"',
  )
  const getHalfRingPath = (radiusFactor: number, sweepFlag: number) =>
    `M${formatPoints([-radius * radiusFactor, 0])}A${formatPoints([radius * radiusFactor, radius * radiusFactor * 0.24])} 0 0 ${sweepFlag} ${formatPoints([radius * radiusFactor, 0])}`
  const drawRingHalf = (sweepFlag: number) =>
    createLine(getHalfRingPath(1.62, sweepFlag), palette.glow, radius * 0.16, 'opacity=".85"') +
    createLine(getHalfRingPath(1.9, sweepFlag), palette.pale, radius * 0.06, 'opacity=".7"') +
    createLine(getHalfRingPath(1.36, sweepFlag), palette.pop, 1.4)
  const planet = `${drawRingHalf(1)}<g clip-path="${ballClip}">${createCircle(
    0,
    0,
    radius,
    defineLinearGradient(stage, `0 ${palette.glow}, 1 ${palette.pop}`),
  )}${bands}</g>${createCircle(0, 0, radius + 0.3, shadeGradient)}${drawRingHalf(0)}`
  const orbits = drawOrbitLines(stage, radius)
  return {
    art:
      drawSkyGradient(stage, palette.ink, palette.deep, palette.mid, palette.ink) +
      drawStars(stage, 46) +
      createGroup(
        `translate(${formatNumber(stage.focusX)} ${formatNumber(stage.focusY)}) rotate(${formatNumber(tiltDegrees)})`,
        orbits + planet,
      ) +
      drawScrimGradient(stage, palette.ink, 0.6),
    titleLettering: {
      box: [14, 212, 172, 74],
      typeface: random.pick(['geometric', 'grotesk', 'condensed'] as const),
      colour: palette.pale,
      isUppercase: true,
      letterSpacingEm: random.pick([0.02, 0.14]),
      subtitleColour: palette.glow,
      maxFontSize: 48,
    },
  }
}

/** The edge of a planet at dawn, seen from orbit, with a floating astronaut. */
export const drawHorizon: DrawScene = (stage) => {
  const { palette, random, width, height, scale } = stage
  const radius = width * (stage.isWide ? 0.9 : 1.25)
  const horizonY = height * (stage.isWide ? 0.62 : 0.58)
  const x = stage.focusX + random.pickNumber(-30, 30) * scale
  const disc = createCircle(
    x,
    horizonY + radius,
    radius,
    defineLinearGradient(stage, `0 ${palette.mid}, .16 ${palette.deep}, .4 ${palette.ink}`),
  )
  const edgeOffset = radius / (radius + 60 * scale)
  const astronaut =
    createPath('M-7-4Q-7-13 0-13T7-4V8Q7 10 5 10L6 24H1L0 14-1 24H-6L-5 10Q-7 10-7 8Z', palette.pale) +
    createPath('M-7-3-15 5-13 9-6 4ZM7-3 14-11 17-8 7 4Z', palette.pale) +
    createCircle(0, -14, 7.5, palette.pale) +
    createEllipse(1, -14, 5, 4.4, palette.ink) +
    createPath('M2-17.5a4 3.6 0 0 1 3.4 3', palette.pop)
  const astronautX = stage.focusX + (stage.isWide ? 40 : random.pickNumber(-26, 30))
  return {
    art:
      drawSkyGradient(stage, palette.ink, palette.ink, palette.deep, palette.mid) +
      drawStars(stage, 60) +
      createCircle(
        x,
        horizonY + radius,
        radius + 60 * scale,
        defineRadialGradient(
          stage,
          `${edgeOffset - 0.01} ${palette.pale}, ${edgeOffset + 0.012} ${palette.glow} .9, ${edgeOffset + 0.07} ${palette.pop} .4, 1 ${palette.pop} 0`,
        ),
      ) +
      disc +
      createCircle(
        x - radius * 0.12,
        horizonY + 1,
        34 * scale,
        defineRadialGradient(stage, `0 ${palette.pale}, .2 ${palette.pale} .9, 1 ${palette.glow} 0`),
      ) +
      createLine(
        `M${formatPoints([astronautX, stage.focusY - 20])}q${formatPoints([-60, -30, -30, -80])}T${formatPoints([astronautX - 120, -10])}`,
        palette.pale,
        0.6,
        'opacity=".7"',
      ) +
      createGroup(
        `translate(${formatNumber(astronautX)} ${formatNumber(stage.focusY - 12)}) rotate(${formatNumber(random.pickNumber(-35, 35))}) scale(${formatNumber(1.05 * scale)})`,
        astronaut,
      ),
    titleLettering: {
      box: [20, 200, 160, 84],
      typeface: random.pick(['geometric', 'grotesk'] as const),
      colour: palette.pale,
      isUppercase: true,
      letterSpacingEm: 0.16,
      subtitleColour: palette.glow,
      maxFontSize: 48,
    },
  }
}

/** A solar eclipse with its corona. */
export const drawEclipse: DrawScene = (stage) => {
  const { palette, random, scale } = stage
  const radius = random.pickNumber(44, 54) * scale
  const rays = Array.from({ length: 40 }, (_, i) => {
    const angleRadians = (i / 40) * 6.283
    const rayLength = radius * (i % 4 === 0 ? 1.9 : i % 2 ? 1.3 : 1.5)
    return `M${formatPoints([stage.focusX + Math.cos(angleRadians) * radius * 1.08, stage.focusY + Math.sin(angleRadians) * radius * 1.08])}L${formatPoints([stage.focusX + Math.cos(angleRadians) * rayLength, stage.focusY + Math.sin(angleRadians) * rayLength])}`
  }).join('')
  const rings = [2.2, 2.7, 3.3]
    .map((radiusFactor) =>
      createCircle(
        stage.focusX,
        stage.focusY,
        radius * radiusFactor,
        'none',
        `stroke="${palette.glow}" stroke-width=".5" opacity=".5"`,
      ),
    )
    .join('')
  return {
    art:
      fillStage(
        stage,
        defineRadialGradient(
          stage,
          `0 ${palette.mid}, .45 ${palette.deep}, 1 ${palette.ink}`,
          `cx="${stage.isWide ? '.68' : '.5'}" cy=".4" r=".75"`,
        ),
      ) +
      drawStars(stage, 30) +
      rings +
      createCircle(
        stage.focusX,
        stage.focusY,
        radius * 2,
        defineRadialGradient(stage, `.4 ${palette.glow} .95, .6 ${palette.pop} .45, 1 ${palette.pop} 0`),
      ) +
      createLine(rays, palette.pale, 0.8, 'opacity=".75"') +
      createCircle(stage.focusX, stage.focusY, radius, palette.ink) +
      createCircle(stage.focusX + radius * 0.72, stage.focusY - radius * 0.72, 3.4 * scale, palette.pale) +
      createCircle(
        stage.focusX + radius * 0.72,
        stage.focusY - radius * 0.72,
        13 * scale,
        defineRadialGradient(stage, `0 ${palette.pale} .9, 1 ${palette.pale} 0`),
      ) +
      drawScrimGradient(stage, palette.ink, 0.66, 0.8),
    titleLettering: {
      box: [16, 206, 168, 80],
      typeface: random.pick(['didone', 'geometric', 'condensed'] as const),
      colour: palette.pale,
      isUppercase: true,
      letterSpacingEm: 0.08,
      subtitleColour: palette.glow,
      maxFontSize: 48,
    },
  }
}
