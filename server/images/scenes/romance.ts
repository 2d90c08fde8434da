import {
  type DrawScene,
  defineClipPath,
  defineLinearGradient,
  defineRadialGradient,
  defineSymbol,
  drawSkyGradient,
  type Stage,
} from '../stage.ts'
import { createCircle, createLine, createPath, createRect, formatNumber, formatPoints } from '../svg.ts'

const facePath =
  'M-6 96C-4 78-22 76-34 72-42 69-39 60-40 55L-44 51Q-40 48-41 45L-46 42Q-42 38-44 34L-54 30Q-56 27-50 18-44 8-45-4C-46-44-20-62 8-62 44-62 62-34 58-4 55 22 40 34 42 58 44 78 66 84 84 96Z'

/** Two faces in profile. The outline of the nearer face frames a landscape. */
export const drawFacesInProfile: DrawScene = (stage) => {
  const { palette, random, width, height, scale } = stage
  const faceScale = (stage.isWide ? 0.98 : 1.16) * (stage.isWide ? 0.9 : 1)
  const gap = random.pickNumber(20, 42) * scale
  const y = stage.focusY + 12 * scale
  const rightFaceTransform = `translate(${formatNumber(stage.focusX + gap)} ${formatNumber(y)}) scale(${formatNumber(faceScale)})`
  const leftFaceTransform = `translate(${formatNumber(stage.focusX - gap)} ${formatNumber(y + random.pickNumber(-6, 10))}) scale(${formatNumber(-faceScale)} ${formatNumber(faceScale)})`
  const faceClip = defineClipPath(stage, `<path d="${facePath}" transform="${rightFaceTransform}"/>`)
  const landscape =
    createRect(
      0,
      0,
      width,
      height,
      defineLinearGradient(stage, `0 ${palette.pop}, .5 ${palette.glow}, .62 ${palette.pale}`),
    ) +
    createCircle(stage.focusX + gap + 8, y - 8, 22 * scale, palette.pale) +
    createPath(
      `M0 ${formatNumber(height)}V${formatNumber(y + 40 * scale)}L${formatPoints([stage.focusX, y + 16 * scale, stage.focusX + 34 * scale, y + 42 * scale, stage.focusX + 66 * scale, y + 10 * scale, width, y + 50 * scale])}V${formatNumber(height)}Z`,
      palette.deep,
    ) +
    createLine(
      Array.from(
        { length: 4 },
        (_, i) =>
          `M${formatPoints([stage.focusX + gap - 20 + i * 12, y - 34 + (i % 2) * 7])}q3-4 5 0q2-4 5 0`,
      ).join(''),
      palette.ink,
      1,
    )
  return {
    art:
      drawSkyGradient(stage, palette.pale, palette.glow, palette.mid) +
      createPath(
        facePath,
        defineLinearGradient(stage, `0 ${palette.mid}, 1 ${palette.deep}`),
        `transform="${leftFaceTransform}"`,
      ) +
      `<g clip-path="${faceClip}">${landscape}</g>` +
      createRect(
        0,
        height * 0.62,
        width,
        height * 0.4,
        defineLinearGradient(stage, `0 ${palette.deep} 0, .45 ${palette.ink} .92, 1 ${palette.ink}`),
      ),
    titleLettering: {
      box: [16, 218, 168, 70],
      typeface: random.pick(['didone', 'oldstyle', 'script', 'geometric'] as const),
      colour: palette.pale,
      subtitleColour: palette.glow,
      maxFontSize: 58,
    },
  }
}

/** Defines a sprig with pairs of leaves. Returns its `href` value for `<use>`. */
function defineSprig(stage: Stage): string {
  const leafPath = 'M0 0C10-12 12-28 0-44-12-28-10-12 0 0Z'
  return defineSymbol(stage, (id) => {
    const leafPairs = [0, 1, 2, 3, 4].map((i) => {
      const getLeafTransform = (side: number) =>
        `transform="translate(0 ${-14 - i * 17}) rotate(${side * (54 - i * 5)}) scale(${formatNumber(1 - i * 0.1)})"`
      return `<path d="${leafPath}" ${getLeafTransform(1)}/><path d="${leafPath}" ${getLeafTransform(-1)}/>`
    })
    return `<g id="${id}"><path d="M-.8 0V-96H.8V0Z"/>${leafPairs.join('')}<path d="${leafPath}" transform="translate(0-90) scale(.6)"/></g>`
  })
}

/** Leaves and flowers around the title. */
export const drawBotanica: DrawScene = (stage) => {
  const { palette, random, width, height, scale } = stage
  const hasDarkBackground = random.pickBoolean(0.5)
  const sprigHref = defineSprig(stage)
  const petalCount = random.pickInteger(5, 8)
  const bloomSymbol = defineSymbol(
    stage,
    (id) =>
      `<g id="${id}">${Array.from({ length: petalCount }, (_, i) => `<path d="M0 0C13-8 13-26 0-30-13-26-13-8 0 0Z" transform="rotate(${Math.round((360 / petalCount) * i)})"/>`).join('')}</g>`,
  )
  const createUseElement = (
    href: string,
    x: number,
    y: number,
    turnDegrees: number,
    scaleFactor: number,
    paint: string,
  ) =>
    `<use href="${href}" transform="translate(${formatPoints([x, y])}) rotate(${Math.round(turnDegrees)}) scale(${formatNumber(scaleFactor)})" fill="${paint}"/>`
  const drawSpray = (x: number, y: number, turnDegrees: number, sprayLength: number, paint: string) =>
    createUseElement(sprigHref, x, y, turnDegrees, (sprayLength / 92) * scale, paint)
  const drawFlower = (x: number, y: number, scaleFactor: number, paint: string, centreColour: string) =>
    createUseElement(bloomSymbol, x, y, random.pickInteger(0, 60), scaleFactor * scale, paint) +
    createUseElement(bloomSymbol, x, y, random.pickInteger(0, 60), scaleFactor * scale * 0.62, centreColour) +
    createCircle(x, y, 4.5 * scaleFactor * scale, palette.ink)
  const offsetX = stage.isWide ? width - 200 : 0
  const [leafColour, backLeafColour] = hasDarkBackground
    ? [palette.mid, palette.deep]
    : [palette.deep, palette.mid]
  return {
    art:
      (hasDarkBackground
        ? drawSkyGradient(stage, palette.ink, palette.deep, palette.ink)
        : drawSkyGradient(stage, palette.pale, palette.pale, palette.glow)) +
      drawSpray(offsetX + 30, -6, 205, 96, backLeafColour) +
      drawSpray(offsetX + 190, 40, 232, 100, leafColour) +
      drawSpray(offsetX + 8, 60, 158, 80, leafColour) +
      drawSpray(offsetX + 176, height + 8, -24, 104, backLeafColour) +
      drawSpray(offsetX + 12, height - 46, 26, 92, leafColour) +
      drawSpray(offsetX + 80, height + 16, 12, 70, backLeafColour) +
      createCircle(
        stage.focusX,
        stage.isWide ? 110 : 150,
        92 * scale,
        defineRadialGradient(
          stage,
          `.55 ${hasDarkBackground ? palette.deep : palette.pale}, 1 ${hasDarkBackground ? palette.deep : palette.pale} 0`,
        ),
      ) +
      drawFlower(offsetX + 158, 46, 1.5, palette.pop, palette.glow) +
      drawFlower(offsetX + 34, height - 40, 1.6, palette.pop, palette.glow) +
      drawFlower(offsetX + 110, 28, 0.9, palette.glow, palette.pop) +
      drawFlower(offsetX + 88, height - 24, 1, hasDarkBackground ? palette.pale : palette.glow, palette.pop) +
      drawFlower(offsetX + 176, 100, 0.7, hasDarkBackground ? palette.pale : palette.mid, palette.pop),
    titleLettering: {
      box: [28, 100, 144, 108],
      typeface: random.pick(['script', 'didone', 'oldstyle'] as const),
      colour: hasDarkBackground ? palette.pale : palette.ink,
      valign: 'middle',
      subtitleColour: hasDarkBackground ? palette.glow : palette.deep,
      maxFontSize: 58,
    },
  }
}
