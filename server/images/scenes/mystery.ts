import { chooseReadableColour } from '../palette.ts'
import {
  type DrawScene,
  fillStage,
  radialGradient,
  type Stage,
  scrimGradient,
  skyGradient,
} from '../stage.ts'
import { circle, ellipse, fmt, formatPoints, group, line, path } from '../svg.ts'

/** A maze seen from above with one light in it. */
export const drawMaze: DrawScene = (stage) => {
  const { palette, rng: random, w } = stage
  const cell = stage.isWide ? 22 : 18
  const left = stage.isWide ? w * 0.34 : 10
  const top = stage.isWide ? 12 : 14
  const columns = stage.isWide ? 11 : 10
  const rows = stage.isWide ? 9 : 11
  let walls = ''
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) {
      const hasNorthPassage = y > 0 && (x === 0 || random.chance(0.5))
      const px = left + x * cell
      const py = top + y * cell
      if (!hasNorthPassage && y > 0) walls += `M${formatPoints([px, py])}h${cell}`
      if (hasNorthPassage && x > 0) walls += `M${formatPoints([px, py])}v${cell}`
    }
  const right = left + columns * cell
  const bottom = top + rows * cell
  const frame = `M${formatPoints([left + cell, top])}H${fmt(right)}V${fmt(bottom - cell)}M${formatPoints([right, bottom])}H${fmt(left)}V${fmt(top)}`
  const cx = left + cell * (random.int(5, columns - 4) + 0.5)
  const cy = top + cell * (random.int(3, 6) + 0.5)
  const isDark = random.chance(0.6)
  const wall = isDark ? palette.glow : palette.ink
  const shadow = line(
    walls + frame,
    isDark ? palette.ink : palette.deep,
    5,
    `transform="translate(2.5 3)" opacity="${isDark ? 1 : 0.3}" stroke-linecap="square"`,
  )
  return {
    art:
      fillStage(
        stage,
        radialGradient(
          stage,
          isDark
            ? `0 ${palette.mid}, .7 ${palette.deep}, 1 ${palette.ink}`
            : `0 ${palette.pale}, 1 ${palette.glow}`,
          `cx="${stage.isWide ? '.68' : '.5'}" cy=".4" r=".8"`,
        ),
      ) +
      shadow +
      line(walls + frame, wall, 3.6, 'stroke-linecap="square"') +
      circle(cx, cy, 34, radialGradient(stage, `0 ${palette.pop} .8, 1 ${palette.pop} 0`)) +
      circle(cx, cy, 4.2, palette.pop) +
      (isDark ? scrimGradient(stage, palette.ink, 0.74, 0.6) : ''),
    title: {
      box: [12, 224, 176, 64],
      face: random.pick(['mono', 'geometric', 'condensed'] as const),
      colour: isDark ? palette.pale : palette.ink,
      isUppercase: true,
      align: 'start',
      isFixedHeight: true,
      subtitleColour: isDark ? palette.glow : chooseReadableColour(palette.glow, palette.pop, palette.ink),
      maxFontSize: 48,
    },
  }
}

/** Returns the path of the upper lashes. */
function createLashesPath({ rng: random, scale }: Stage): string {
  const lashes = Array.from({ length: 15 }, (_, i) => {
    const t = i / 14
    const x = (-86 + 172 * t) * scale
    const y = -78 * scale * 2 * t * (1 - t)
    return `M${formatPoints([x, y - 2])}q${formatPoints([(t - 0.5) * 10 * scale, -12 * scale, (t - 0.5) * 44 * scale, -30 * scale - random.number(0, 14) * scale])}`
  })
  return lashes.join('')
}

/** A large eye, in one variant with a tear. */
export const drawEye: DrawScene = (stage) => {
  const { palette, rng: random, h, scale } = stage
  const r = 38 * scale
  const getLidPath = (k: number) =>
    `M${formatPoints([-92 * scale, 0])}Q${formatPoints([0, -78 * scale * k, 92 * scale, 0])}Q${formatPoints([0, 78 * scale * k, -92 * scale, 0])}Z`
  const spokes = Array.from({ length: 36 }, (_, i) => {
    const a = (i / 36) * 6.283
    const innerRadius = r * (0.42 + random.number(0, 0.16))
    return `M${formatPoints([Math.cos(a) * innerRadius, Math.sin(a) * innerRadius])}L${formatPoints([Math.cos(a) * r * 0.96, Math.sin(a) * r * 0.96])}`
  }).join('')
  const lashes = createLashesPath(stage)
  const isRed = random.chance(0.5)
  const tear = path(
    `M${formatPoints([0, 42 * scale])}Q${formatPoints([16 * scale, h * 0.3, 0, h * 0.34])}Q${formatPoints([-16 * scale, h * 0.3, 0, 42 * scale])}Z`,
    palette.pop,
  )
  const eyeball =
    path(getLidPath(1), palette.pale) +
    circle(
      0,
      0,
      r,
      radialGradient(stage, `0 ${palette.glow}, .6 ${isRed ? palette.pop : palette.mid}, 1 ${palette.ink}`),
    ) +
    line(spokes, palette.ink, 1.1, 'opacity=".7"') +
    circle(0, 0, r * 0.42, palette.ink) +
    (random.chance(0.5)
      ? circle(0, 0, r * 0.42, 'none', `stroke="${palette.pop}" stroke-width="1.2"`)
      : path(`M${formatPoints([-2.6, r * 0.34, 2.6, r * 0.34, 1.4, 0, -1.4, 0])}Z`, palette.pop)) +
    circle(-r * 0.34, -r * 0.4, r * 0.16, palette.pale) +
    line(
      `M${formatPoints([-92 * scale, 0])}Q${formatPoints([0, -78 * scale, 92 * scale, 0])}`,
      palette.ink,
      5 * scale,
    ) +
    line(lashes, palette.ink, 2.2 * scale, 'stroke-linecap="round"')
  return {
    art:
      (isRed
        ? skyGradient(stage, palette.deep, palette.mid, palette.deep, palette.ink)
        : skyGradient(stage, palette.mid, palette.glow, palette.mid, palette.ink)) +
      ellipse(
        stage.focusX,
        stage.focusY,
        130 * scale,
        84 * scale,
        radialGradient(stage, `0 ${palette.ink} .8, 1 ${palette.ink} 0`),
      ) +
      group(
        `translate(${fmt(stage.focusX)} ${fmt(stage.focusY)}) rotate(${fmt(random.number(-8, 8))})`,
        eyeball + (isRed ? tear : ''),
      ) +
      scrimGradient(stage, palette.ink, 0.62, 0.95),
    title: {
      box: isRed ? [14, 228, 172, 60] : [14, 216, 172, 72],
      isFixedHeight: isRed,
      face: random.pick(['heavy', 'didone', 'condensed'] as const),
      colour: palette.pale,
      isUppercase: true,
      subtitleColour: palette.glow,
      maxFontSize: 58,
      track: 0.04,
    },
  }
}
