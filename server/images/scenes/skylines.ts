import {
  type DrawScene,
  linearGradient,
  radialGradient,
  type Stage,
  scrimGradient,
  skyGradient,
  tilePattern,
} from '../stage.ts'
import { circle, fmt, formatPoints, line, path, poly, rect } from '../svg.ts'

/** Returns the path of a row of roofs, closed along the bottom. */
function createRoofsPath(stage: Stage, base: number, low: number, high: number, step: number): string {
  let d = `M0 ${fmt(stage.h)}V${fmt(base)}`
  for (let x = 0; x < stage.w; ) {
    const width = stage.rng.number(step * 0.6, step * 1.4)
    const top = base - stage.rng.number(low, high)
    d += `V${fmt(top)}`
    if (stage.rng.chance(0.22)) {
      const mast = x + width / 2
      d += `H${fmt(mast - 1)}V${fmt(top - high * 0.3)}H${fmt(mast + 1)}V${fmt(top)}`
    } else if (stage.rng.chance(0.2))
      d += `l${fmt(width / 2)} ${fmt(-width * 0.5)}l${fmt(width / 2)} ${fmt(width * 0.5)}`
    x += width
    d += `H${fmt(x)}`
  }
  return `${d}V${fmt(stage.h)}Z`
}

/** A city at night with a moon, searchlights, three rows of roofs and lit windows. */
export const drawSkyline: DrawScene = (stage) => {
  const { palette, rng: random, w, h, scale } = stage
  const moon = random.number(38, 62) * scale
  const moonX = stage.focusX + random.number(-52, 40) * (stage.isWide ? 0.5 : 1)
  const moonY = stage.focusY * (stage.isWide ? 0.95 : 0.82)
  const hasBeams = random.chance(0.55)
  const isCrescent = random.chance(0.35)
  const beam = linearGradient(stage, `0 ${palette.pale} .55, 1 ${palette.pale} 0`, 'y1="1" x2="0" y2="0"')
  const drawBeam = (x: number, lean: number) =>
    poly([x - 2, h * 0.72, x + 2, h * 0.72, x + lean + 26, 0, x + lean - 22, 0], beam)
  const base = h * (stage.isWide ? 0.82 : 0.7)
  const panes = tilePattern(
    stage,
    9,
    12,
    rect(1.5, 2, 2.6, 4, palette.glow) + rect(5.8, 8, 2, 2.6, palette.glow, 'opacity=".6"'),
  )
  const frontRoofs = createRoofsPath(stage, base + 18 * scale, 20 * scale, 92 * scale, 30 * scale)
  const fog = linearGradient(stage, `0 ${palette.mid} 0, 1 ${palette.mid} .75`)
  return {
    art:
      skyGradient(stage, palette.ink, palette.deep, palette.mid, palette.glow) +
      circle(moonX, moonY, moon * 2.1, radialGradient(stage, `0 ${palette.glow} .6, 1 ${palette.glow} 0`)) +
      (isCrescent
        ? path(
            `M${formatPoints([moonX, moonY - moon * 0.7])}a${formatPoints([moon * 0.7, moon * 0.7])} 0 1 0 ${formatPoints([moon * 0.66, moon * 0.92])}a${formatPoints([moon * 0.56, moon * 0.56])} 0 0 1 ${formatPoints([-moon * 0.66, -moon * 0.92])}Z`,
            palette.pale,
          )
        : circle(moonX, moonY, moon, linearGradient(stage, `0 ${palette.pale}, 1 ${palette.glow}`))) +
      (hasBeams ? drawBeam(w * 0.2, w * 0.16) + drawBeam(w * 0.84, -w * random.number(0.1, 0.3)) : '') +
      path(
        createRoofsPath(stage, base - 20 * scale, 10 * scale, 70 * scale, 22 * scale),
        palette.mid,
        'opacity=".75"',
      ) +
      path(createRoofsPath(stage, base, 10 * scale, 84 * scale, 26 * scale), palette.deep) +
      rect(0, base - 70 * scale, w, 90 * scale, fog) +
      path(frontRoofs, palette.ink) +
      path(frontRoofs, panes, 'opacity=".75"') +
      scrimGradient(stage, palette.ink, 0.54, 1),
    title: {
      box: [14, 196, 172, 90],
      face: random.pick(['condensed', 'heavy', 'didone'] as const),
      colour: palette.pale,
      isUppercase: true,
      subtitleColour: palette.glow,
      maxFontSize: 58,
    },
  }
}

/** A perspective grid in front of a striped sun (synthwave). */
export const drawNeon: DrawScene = (stage) => {
  const { palette, rng: random, w, h, scale } = stage
  const y = h * (stage.isWide ? 0.62 : 0.6)
  const r = 66 * scale
  const bars = Array.from({ length: 6 }, (_, i) =>
    rect(stage.focusX - r, y - 4 - i * r * 0.17, r * 2, (7 - i) * scale, palette.deep),
  ).join('')
  const horizontalLines = Array.from(
    { length: 9 },
    (_, i) => `M0 ${fmt(y + (h - y) * (i / 8) ** 2.1)}H${w}`,
  ).join('')
  const verticalLines = Array.from(
    { length: 17 },
    (_, i) =>
      `M${formatPoints([stage.focusX + (i - 8) * 7, y])}L${formatPoints([stage.focusX + (i - 8) * 62, h])}`,
  ).join('')
  const getPeakPath = (x: number, k: number) =>
    `M${formatPoints([x - k, y])}l${formatPoints([k * 0.5, -k * 0.5, k * 0.18, k * 0.2, k * 0.34, -k * 0.42, k, k * 0.72])}Z`
  return {
    art:
      skyGradient(stage, palette.ink, palette.deep, palette.mid) +
      circle(
        stage.focusX,
        y - r * 0.7,
        r * 1.9,
        radialGradient(stage, `0 ${palette.pop} .55, 1 ${palette.pop} 0`),
      ) +
      circle(
        stage.focusX,
        y - r * 0.7,
        r,
        linearGradient(stage, `0 ${palette.pale}, .45 ${palette.glow}, 1 ${palette.pop}`),
      ) +
      bars +
      path(getPeakPath(w * 0.12, 60 * scale) + getPeakPath(w * 0.93, 74 * scale), palette.ink) +
      rect(0, y, w, h - y, linearGradient(stage, `0 ${palette.mid}, .2 ${palette.deep}, 1 ${palette.ink}`)) +
      line(horizontalLines + verticalLines, palette.pop, 0.9, 'opacity=".8"') +
      line(`M0 ${fmt(y)}H${w}`, palette.pale, 1.4) +
      rect(0, h * 0.72, w, h * 0.28, linearGradient(stage, `0 ${palette.ink} 0, 1 ${palette.ink} .9`)),
    title: {
      box: [14, 214, 172, 74],
      face: random.pick(['heavy', 'geometric'] as const),
      colour: palette.pale,
      isUppercase: true,
      subtitleColour: palette.glow,
      maxFontSize: 58,
    },
  }
}
