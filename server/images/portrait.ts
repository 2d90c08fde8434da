import { escapeMarkup } from '../core/escape-markup.ts'
import { arabicFontStacks, estimateAdvance, fontStacks } from './font-stacks.ts'
import {
  defineClipPath,
  defineLinearGradient,
  defineRadialGradient,
  defineTilePattern,
  fillStage,
  type Stage,
} from './stage.ts'
import { createCircle, createGroup, createPath, createRect, formatNumber, formatPoints } from './svg.ts'
import { hasJoinedScript, splitGraphemes } from './title-text.ts'

/**
 * Silhouettes without hair, facial features or skin colour, because the image must not suggest how a real person looks.
 */
const posePaths = [
  'M-88 170C-88 104-66 92-28 80-20 77-18 70-18 56-29 47-35 34-37 18-43 20-46 8-43-2-41-8-38-6-38-2-40-38-24-58 0-58S40-38 38-2C38-6 41-8 43-2 46 8 43 20 37 18 35 34 29 47 18 56 18 70 20 77 28 80 66 92 88 104 88 170Z',
  'M-78 170C-76 112-58 98-26 88-20 84-20 74-22 66-30 66-38 66-38 58-38 52-37 48-38 44-41 42-41 39-40 36-43 34-42 30-41 28-48 26-49 22-44 14-40 6-41-2-40-10-38-40-16-54 8-54 42-54 56-28 53-4 51 16 38 30 38 52 38 72 48 78 62 86 78 96 86 118 88 170Z',
] as const

/** Draws a dark bust (head and shoulders) in front of the first letter of the name, on a poster stage. */
export function drawPortrait(stage: Stage, personName: string): string {
  const { palette, random, width, height } = stage
  const posePath = random.pick(posePaths)
  const mirrorSign = random.pick([-1, 1])
  const [backgroundColour, tone] = random.pick([
    [palette.mid, palette.glow],
    [palette.glow, palette.pale],
    [palette.pop, palette.pale],
    [palette.deep, palette.glow],
    [palette.pale, palette.pop],
    [palette.deep, palette.pop],
  ] as const)
  const bustTransform = `translate(${formatNumber(width / 2)} ${formatNumber(height * 0.53)}) scale(${formatNumber(mirrorSign * 1.1)} 1.1)`
  const bustClip = defineClipPath(stage, createPath(posePath, palette.ink, `transform="${bustTransform}"`))
  const background = random.pick([
    () => createCircle(width / 2, 126, 82, tone, 'opacity=".3"'),
    () => createPath(`M18 ${height}V120A82 82 0 0 1 182 120V${height}Z`, tone, 'opacity=".28"'),
    () =>
      fillStage(
        stage,
        defineTilePattern(stage, 9, 9, createCircle(4.5, 4.5, 1.3, tone), 'rotate(45)'),
        'opacity=".4"',
      ),
    () => createRect(0, 0, width / 2, height, tone, 'opacity=".22"'),
    () => createPath(`M${formatPoints([width, 0, width, height, 0, height])}Z`, tone, 'opacity=".22"'),
  ])()
  return (
    fillStage(stage, backgroundColour) +
    fillStage(stage, defineLinearGradient(stage, `0 ${palette.ink} 0, 1 ${palette.ink} .4`)) +
    background +
    drawInitial(stage, personName, tone) +
    createPath(
      posePath,
      defineLinearGradient(stage, `0 ${palette.deep}, 1 ${palette.ink}`),
      `transform="${bustTransform}"`,
    ) +
    `<g clip-path="${bustClip}">${createGroup(`translate(${mirrorSign * -9} 7)`, createPath(posePath, palette.ink, `transform="${bustTransform}" opacity=".55"`))}` +
    `${createCircle(width / 2 + mirrorSign * 62, 90, 96, defineRadialGradient(stage, `0 ${tone} .5, 1 ${tone} 0`))}</g>`
  )
}

/** Draws the first letter of a name as large as the image allows. */
function drawInitial(stage: Stage, personName: string, tone: string): string {
  const letter = splitGraphemes(personName).find((grapheme) => /\p{L}|\p{N}/u.test(grapheme))
  if (!letter) return ''
  const typeface = stage.random.pick(['didone', 'geometric', 'heavy', 'slab'] as const)
  const usesJoinedScript = hasJoinedScript(letter)
  const shownLetter = usesJoinedScript ? letter : letter.toUpperCase()
  const fontSize = Math.min(
    usesJoinedScript ? 190 : 250,
    186 / Math.max(0.5, estimateAdvance(shownLetter, typeface)),
  )
  const fontFamily = usesJoinedScript
    ? arabicFontStacks[fontStacks[typeface].arabicStyle].family
    : fontStacks[typeface].family
  return (
    `<text x="${stage.width / 2}" y="${formatNumber(usesJoinedScript ? 150 : 112 + fontSize * 0.36)}" font-family="${fontFamily}" font-weight="700" ` +
    `font-size="${formatNumber(fontSize)}" text-anchor="middle" fill="${tone}">${escapeMarkup(shownLetter)}</text>`
  )
}
