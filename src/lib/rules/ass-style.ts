/** Scales the dialogue of styled subtitles (ASS) to the text size that the viewer chose, before they are drawn. */
import { forEachOverride, parseAssFormat } from './ass-subtitles.ts'
import type { CaptionPreferences } from './player-captions.ts'

/** Factors by which the sizes of the font, outline and shadow are multiplied. */
const SCALE_FACTORS_BY_SIZE: Record<CaptionPreferences['size'], number> = {
  small: 0.8,
  medium: 1,
  large: 1.3,
  huge: 1.7,
}
/**
 * Override tags that set a fixed position, a clipping area or a drawing. Lines with such a tag belong to the picture,
 * for example the translation of a sign, and are not scaled.
 */
const FIXED_POSITION_PATTERN = /\\(?:pos|move|org|i?clip|p[1-9])\b/
const SCALED_STYLE_SUFFIX = ' (size)'
const SCALED_FIELDS = new Set(['fontsize', 'outline', 'shadow'])

/**
 * Returns the script with scaled dialogue. Each style gets a scaled copy. The lines that FIXED_POSITION_PATTERN does
 * not match use the scaled copy of their style.
 */
export function scaleAssDialogue(script: string, size: CaptionPreferences['size']): string {
  const scaleFactor = SCALE_FACTORS_BY_SIZE[size]
  if (scaleFactor === 1) return script
  const styleNames = new Set<string>()
  let fieldNames: string[] = []
  return script
    .split(/\r?\n/)
    .map((line) => {
      const [, lineKind = '', lineContent = ''] = /^\s*(Format|Style|Dialogue)\s*:(.*)$/i.exec(line) ?? []
      if (/^format$/i.test(lineKind)) fieldNames = parseAssFormat(lineContent) ?? fieldNames
      if (/^style$/i.test(lineKind))
        return `${line}\n${scaleStyle(lineContent, fieldNames, scaleFactor, styleNames)}`
      if (/^dialogue$/i.test(lineKind)) return scaleDialogueLine(line, fieldNames, scaleFactor, styleNames)
      return line
    })
    .join('\n')
}

const normaliseStyleName = (styleText = '') => styleText.trim().replace(/^\*/, '')

function scaleStyle(
  styleContent: string,
  fieldNames: string[],
  scaleFactor: number,
  styleNames: Set<string>,
): string {
  const fieldValues = styleContent.split(',').map((fieldValue, index) => {
    const fieldName = fieldNames[index] ?? ''
    if (fieldName === 'name') {
      styleNames.add(normaliseStyleName(fieldValue))
      return ` ${normaliseStyleName(fieldValue)}${SCALED_STYLE_SUFFIX}`
    }
    return SCALED_FIELDS.has(fieldName) ? scaleNumber(fieldValue, scaleFactor) : fieldValue
  })
  return `Style:${fieldValues.join(',')}`
}

function scaleDialogueLine(
  line: string,
  fieldNames: string[],
  scaleFactor: number,
  styleNames: Set<string>,
): string {
  const fieldValues = line.split(',')
  const textIndex = fieldNames.indexOf('text')
  const styleIndex = fieldNames.indexOf('style')
  // The text is the last field and may itself contain commas.
  const dialogueText = fieldValues.slice(textIndex).join(',')
  if (textIndex < 1 || styleIndex < 0 || FIXED_POSITION_PATTERN.test(dialogueText)) return line
  const requestedStyleName = normaliseStyleName(fieldValues[styleIndex])
  const styleName = styleNames.has(requestedStyleName) ? requestedStyleName : 'Default'
  if (!styleNames.has(styleName)) return line
  fieldValues[styleIndex] = styleName + SCALED_STYLE_SUFFIX
  let scaledText = ''
  forEachOverride(dialogueText, (text, block) => {
    scaledText += text + scaleOverrides(block, scaleFactor, styleNames)
  })
  return [...fieldValues.slice(0, textIndex), scaledText].join(',')
}

/** Scales the font sizes that `\fs` sets, and makes `\r` with a style name switch to the scaled copy of the style. */
const scaleOverrides = (overrideBlock: string, scaleFactor: number, styleNames: Set<string>) =>
  overrideBlock
    .replace(/\\fs(\d+(?:\.\d+)?)/g, (_, fontSize: string) => `\\fs${scaleNumber(fontSize, scaleFactor)}`)
    .replace(/\\r([^\\}]+)/g, (overrideTag, styleName: string) =>
      styleNames.has(normaliseStyleName(styleName)) ? overrideTag + SCALED_STYLE_SUFFIX : overrideTag,
    )

const scaleNumber = (numberText: string, scaleFactor: number) =>
  Number.isFinite(Number.parseFloat(numberText))
    ? String(Math.round(Number.parseFloat(numberText) * scaleFactor * 100) / 100)
    : numberText

const LETTER_WITHOUT_FONT =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u

/** True when the dialogue has letters that the font of the subtitle renderer lacks, such as Arabic or Japanese ones. */
export function hasLettersWithoutFont(script: string): boolean {
  const dialogueLines = script.split(/\r?\n/).filter((line) => /^\s*Dialogue\s*:/i.test(line))
  return dialogueLines.some((line) => LETTER_WITHOUT_FONT.test(line))
}
