import { escapeMarkup } from '../core/escape-markup.ts'
import { ARABIC_LINE_HEIGHT, arabicFontStacks, estimateAdvance, fontStacks } from './font-stacks.ts'
import type { TitleLettering, TypefaceName } from './stage.ts'
import { formatNumber } from './svg.ts'
import { hasJoinedScript, isRtl, splitGraphemes, splitTitleWords } from './title-text.ts'
import { type TypesetTitle, typesetTitle } from './typeset-title.ts'

/**
 * Estimates the width of a text in em. The estimate is high rather than low, so that the text also fits with wider
 * fonts of other systems.
 */
export function estimateWidth(text: string, typeface: TypefaceName, letterSpacingEm = 0): number {
  return splitGraphemes(text).reduce(
    (sum, grapheme, index, graphemes) =>
      sum + estimateAdvance(grapheme, typeface, graphemes[index + 1]) + letterSpacingEm,
    0,
  )
}

interface TitleText {
  readonly title: string
  readonly lang: string
  /** Year and original title, already sanitised; may be empty. */
  readonly subtitle: string
}

const anchorFractionByAlign = { start: 0, middle: 0.5, end: 1 } as const

/** Returns the properties of a title's text that do not depend on the position of its lines. */
function createTextStyle(lettering: TitleLettering, text: TitleText) {
  const usesJoinedScript = hasJoinedScript(text.title)
  const isUppercase = (lettering.isUppercase ?? false) && !usesJoinedScript
  const fontStack = fontStacks[lettering.typeface]
  return {
    usesJoinedScript,
    displayedTitle: isUppercase ? text.title.toLocaleUpperCase(text.lang) : text.title,
    family: usesJoinedScript ? arabicFontStacks[fontStack.arabicStyle].family : fontStack.family,
    weight: usesJoinedScript ? Math.max(fontStack.weight, 600) : fontStack.weight,
    letterSpacingEm: usesJoinedScript ? 0 : (lettering.letterSpacingEm ?? 0),
    leading: usesJoinedScript
      ? ARABIC_LINE_HEIGHT
      : isUppercase
        ? fontStack.leading * 0.94
        : fontStack.leading * 1.06,
    /** Distance from the top of the line to its baseline, in em. */
    baselineOffset: usesJoinedScript ? 0.98 : isUppercase ? 0.83 : 0.86,
  }
}

type TextStyle = ReturnType<typeof createTextStyle>

/**
 * Returns the title and its subtitle as SVG text. For a title in a right-to-left script, the box is mirrored on the
 * stage.
 */
export function drawTitle(lettering: TitleLettering, text: TitleText, stageWidth: number): string {
  const isRightToLeft = isRtl(text.title)
  const style = createTextStyle(lettering, text)
  const [boxX, boxY, boxWidth, boxHeight] = lettering.box
  // The letters of joined scripts are taller at the same font size, so the box extends upwards into the image.
  const extraHeight =
    style.usesJoinedScript && !lettering.isFixedHeight && (lettering.valign ?? 'bottom') === 'bottom' ? 18 : 0
  const [enlargedBoxY, enlargedBoxHeight] = [boxY - extraHeight, boxHeight + extraHeight]
  const subtitleHeight = lettering.subtitleColour && text.subtitle ? 15 : 0
  const innerLettering: TitleLettering = {
    ...lettering,
    box: [
      boxX,
      enlargedBoxY,
      boxWidth,
      (enlargedBoxHeight - subtitleHeight) * (style.usesJoinedScript ? 0.92 : 1),
    ],
  }
  const titleLayout = typesetTitle(
    splitTitleWords(style.displayedTitle, text.lang),
    innerLettering,
    style.leading,
    (line) => estimateWidth(line, lettering.typeface, style.letterSpacingEm),
  )
  const align = lettering.align ?? 'middle'
  const boxLeft = isRightToLeft ? stageWidth - boxX - boxWidth : boxX
  const x =
    boxLeft + boxWidth * (isRightToLeft ? 1 - anchorFractionByAlign[align] : anchorFractionByAlign[align])
  // Adds space below joined letters, because their descenders would otherwise overlap the subtitle.
  const descenderSpace =
    subtitleHeight && style.usesJoinedScript ? (titleLayout.lines.at(-1)?.size ?? 0) * 0.2 : 0
  const freeHeight = enlargedBoxHeight - subtitleHeight - titleLayout.height - descenderSpace
  const textTop =
    enlargedBoxY +
    (lettering.valign === 'top' ? 0 : lettering.valign === 'middle' ? freeHeight / 2 : freeHeight)
  const alignment = `text-anchor="${align}"${isRightToLeft ? ' direction="rtl"' : ''}`
  const stroke = lettering.hasStroke
    ? ` stroke="${lettering.colour}" stroke-width="${formatNumber((titleLayout.lines[0]?.size ?? 0) * 0.045)}" stroke-linejoin="round"`
    : ''
  const textGroup =
    `<g font-family="${style.family}" font-weight="${style.weight}" fill="${lettering.colour}"${stroke} ${alignment}>` +
    `${drawTextLines(x, textTop, boxWidth, titleLayout, style)}</g>${drawSubtitle(lettering, text.subtitle, x, textTop + titleLayout.height + descenderSpace + 11, alignment)}`
  if (!lettering.rotationDegrees) return textGroup
  return `<g transform="rotate(${isRightToLeft ? -lettering.rotationDegrees : lettering.rotationDegrees} ${formatNumber(boxLeft + boxWidth / 2)} ${formatNumber(enlargedBoxY + enlargedBoxHeight / 2)})">${textGroup}</g>`
}

/**
 * Draws the lines. Lines that nearly fill the box get a fixed length, so that a wider font cannot overflow the box.
 * Lines in joined scripts never get a fixed length.
 */
function drawTextLines(
  x: number,
  textTop: number,
  boxWidth: number,
  titleLayout: TypesetTitle,
  style: TextStyle,
): string {
  let y = textTop
  return titleLayout.lines
    .map(({ text, size, widthEm }) => {
      const baseline =
        y + size * (style.baselineOffset + (style.leading - 1) * (style.usesJoinedScript ? 0.35 : 0.2))
      y += size * style.leading
      const textLength =
        !style.usesJoinedScript && widthEm * size > boxWidth * 0.88
          ? ` textLength="${formatNumber((widthEm - style.letterSpacingEm) * size)}" lengthAdjust="spacingAndGlyphs"`
          : ''
      const letterSpacing = style.letterSpacingEm
        ? ` letter-spacing="${formatNumber(style.letterSpacingEm * size)}"`
        : ''
      return `<text x="${formatNumber(x)}" y="${formatNumber(baseline)}" font-size="${formatNumber(size)}"${textLength}${letterSpacing}>${escapeMarkup(text)}</text>`
    })
    .join('')
}

function drawSubtitle(
  lettering: TitleLettering,
  subtitle: string,
  x: number,
  y: number,
  alignment: string,
): string {
  if (!lettering.subtitleColour || !subtitle) return ''
  const usesJoinedScript = hasJoinedScript(subtitle)
  const widthEm = estimateWidth(subtitle, 'grotesk', 0.12)
  const fontSize = Math.min(9, lettering.box[2] / widthEm)
  if (fontSize < 4.5) return ''
  return (
    `<text x="${formatNumber(x)}" y="${formatNumber(y)}" font-family="'Helvetica Neue',Arial,'Liberation Sans',Roboto,'Noto Sans Arabic',sans-serif" ` +
    `font-size="${formatNumber(fontSize)}" font-weight="600"${usesJoinedScript ? '' : ' letter-spacing="1"'} fill="${lettering.subtitleColour}" ${alignment}>` +
    `${escapeMarkup(subtitle)}</text>`
  )
}
