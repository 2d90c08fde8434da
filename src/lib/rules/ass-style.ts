/** Scales the dialogue of styled subtitles (ASS) to the text size that the viewer chose, before they are drawn. */
import type { CaptionPreferences } from './player-captions.ts'

/** Factors by which the font size in the script is multiplied. */
const SIZE_FACTORS: Record<CaptionPreferences['size'], number> = {
  small: 0.8,
  medium: 1,
  large: 1.3,
  huge: 1.7,
}
/**
 * Tags of lines with a fixed position. Such lines belong to the picture, for example the translation of a sign, and are not
 * scaled.
 */
const FIXED_PLACE = /\\(?:pos|move|org|i?clip|p[1-9])\b/
const SCALED_SUFFIX = ' (size)'
const SCALED_FIELDS = new Set(['fontsize', 'outline', 'shadow'])

/** Returns the script with scaled dialogue. Each style gets a scaled copy, which the lines without a fixed position use. */
export function scaleAssDialogue(script: string, size: CaptionPreferences['size']): string {
  const factor = SIZE_FACTORS[size]
  if (factor === 1) return script
  const names = new Set<string>()
  let fields: string[] = []
  return script
    .split(/\r?\n/)
    .map((line) => {
      const [, kind = '', content = ''] = /^\s*(Format|Style|Dialogue)\s*:(.*)$/i.exec(line) ?? []
      if (/^format$/i.test(kind)) fields = content.split(',').map((field) => field.trim().toLowerCase())
      if (/^style$/i.test(kind)) return `${line}\n${scaleStyle(content, fields, factor, names)}`
      if (/^dialogue$/i.test(kind)) return scaleLine(line, fields, factor, names)
      return line
    })
    .join('\n')
}

const getStyleName = (text = '') => text.trim().replace(/^\*/, '')

function scaleStyle(content: string, fields: string[], factor: number, names: Set<string>): string {
  const values = content.split(',').map((value, index) => {
    const field = fields[index] ?? ''
    if (field === 'name') {
      names.add(getStyleName(value))
      return ` ${getStyleName(value)}${SCALED_SUFFIX}`
    }
    return SCALED_FIELDS.has(field) ? scaleNumber(value, factor) : value
  })
  return `Style:${values.join(',')}`
}

function scaleLine(line: string, fields: string[], factor: number, names: Set<string>): string {
  const values = line.split(',')
  const textIndex = fields.indexOf('text')
  const styleIndex = fields.indexOf('style')
  // The text is the last field and may itself contain commas.
  const text = values.slice(textIndex).join(',')
  if (textIndex < 1 || styleIndex < 0 || FIXED_PLACE.test(text)) return line
  const wantedName = getStyleName(values[styleIndex])
  const name = names.has(wantedName) ? wantedName : 'Default'
  if (!names.has(name)) return line
  values[styleIndex] = name + SCALED_SUFFIX
  const scaledText = text.replace(/\{[^}]*\}/g, (block) => scaleOverrides(block, factor, names))
  return [...values.slice(0, textIndex), scaledText].join(',')
}

/** `\fs` sets a size, `\r` followed by a name switches to another style. */
const scaleOverrides = (block: string, factor: number, names: Set<string>) =>
  block
    .replace(/\\fs(\d+(?:\.\d+)?)/g, (_, value: string) => `\\fs${scaleNumber(value, factor)}`)
    .replace(/\\r([^\\}]+)/g, (tag, name: string) =>
      names.has(getStyleName(name)) ? tag + SCALED_SUFFIX : tag,
    )

const scaleNumber = (text: string, factor: number) =>
  Number.isFinite(Number.parseFloat(text))
    ? String(Math.round(Number.parseFloat(text) * factor * 100) / 100)
    : text

const OTHER_LETTER =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u

/** True when the dialogue has letters that the font of the subtitle renderer lacks, such as Arabic or Japanese ones. */
export function hasLettersWithoutFont(script: string): boolean {
  const dialogue = script.split(/\r?\n/).filter((line) => /^\s*Dialogue\s*:/i.test(line))
  return dialogue.some((line) => OTHER_LETTER.test(line))
}
