/**
 * Reads the dialogue of ASS and SSA subtitles. Bold, italic and underlined text and a position at the top become SubRip
 * markup. Other styles, positions and animations are left out.
 */

/** A cue as read from a subtitle file, before it becomes a WebVTT cue. The lines may contain SubRip markup. */
export interface SubtitleCue {
  startMs: number
  endMs: number
  lines: string[]
}

export const isAssSubtitle = (subtitleText: string) =>
  /^[ \t]*\[(?:Script Info|V4\+? Styles|Events)\]/im.test(subtitleText)

const DEFAULT_ASS_FORMAT = 'Layer,Start,End,Style,Name,MarginL,MarginR,MarginV,Effect,Text'
/** Maximum number of fields of a dialogue line. A format line with more fields is ignored. */
const MAX_FORMAT_FIELDS = 50
const TIME_PATTERN = /^\s*(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.:](\d{1,3}))?\s*$/

/** Returns the dialogue lines sorted by start time, because files often list them by style. Comments are left out. */
export function parseAssDialogue(subtitleText: string): SubtitleCue[] {
  let fieldNames = parseAssFormat(DEFAULT_ASS_FORMAT) ?? []
  const cues: SubtitleCue[] = []
  for (const line of subtitleText.split('\n')) {
    const [, lineKind = '', lineContent = ''] = /^\s*(Format|Dialogue)\s*:(.*)$/i.exec(line) ?? []
    // The styles section has a separate format line without times.
    if (/^format$/i.test(lineKind) && /\bstart\b/i.test(lineContent))
      fieldNames = parseAssFormat(lineContent) ?? fieldNames
    if (!/^dialogue$/i.test(lineKind)) continue
    const fieldValues = lineContent.split(',')
    const startMs = parseTimeMs(fieldValues[fieldNames.indexOf('start')])
    const endMs = parseTimeMs(fieldValues[fieldNames.indexOf('end')])
    if (startMs === null || endMs === null) continue
    // The text is the last field and may itself contain commas.
    cues.push({
      startMs,
      endMs,
      lines: convertDialogueText(fieldValues.slice(fieldNames.length - 1).join(',')),
    })
  }
  return cues.sort((a, b) => a.startMs - b.startMs)
}

/** Returns the lower-case names of the fields of a format line, or null if there are too many. */
export function parseAssFormat(formatText: string): string[] | null {
  const fieldNames = formatText.split(',', MAX_FORMAT_FIELDS + 1)
  if (fieldNames.length > MAX_FORMAT_FIELDS) return null
  return fieldNames.map((fieldName) => fieldName.trim().toLowerCase())
}

function parseTimeMs(timeText = ''): number | null {
  const timeMatch = TIME_PATTERN.exec(timeText)
  if (!timeMatch) return null
  const [, hours, minutes, seconds, fractionDigits = '0'] = timeMatch
  const totalSeconds = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return totalSeconds * 1000 + Number(fractionDigits.padEnd(3, '0'))
}

/**
 * Converts override blocks (`{\i1}`) to SubRip markup: bold, italic and underlined text, and a position at the top.
 * Removes drawings, which contain no text.
 */
function convertDialogueText(dialogueText: string): string[] {
  let convertedText = ''
  let isDrawing = false
  forEachOverride(dialogueText, (text, block) => {
    if (!isDrawing) convertedText += text
    const drawingMode = /^.*\\p(\d)/s.exec(block)?.[1]
    if (drawingMode !== undefined) isDrawing = drawingMode !== '0'
    if (!isDrawing) convertedText += convertOverrides(block)
  })
  return convertedText.replace(/\\h/g, '\u00a0').split(/\\n/i)
}

/**
 * Calls `handlePart` for each override block with the text before the block, and at the end with the remaining text and
 * an empty block. Takes linear time, also for a text with many opening braces. For each opening brace, a pattern such
 * as `\{[^}]*\}` would search the rest of the text for the closing brace.
 */
export function forEachOverride(text: string, handlePart: (text: string, block: string) => void): void {
  let partStartIndex = 0
  while (partStartIndex < text.length) {
    const blockStartIndex = text.indexOf('{', partStartIndex)
    const blockEndIndex = blockStartIndex < 0 ? -1 : text.indexOf('}', blockStartIndex)
    if (blockEndIndex < 0) break
    handlePart(text.slice(partStartIndex, blockStartIndex), text.slice(blockStartIndex, blockEndIndex + 1))
    partStartIndex = blockEndIndex + 1
  }
  handlePart(text.slice(partStartIndex), '')
}

function convertOverrides(block: string): string {
  const htmlTags = [...block.matchAll(/\\([biu])(0|1|[4-9]00)(?=\\|\})/g)].map(
    ([, tagName = '', tagValue]) => (tagValue === '0' ? `</${tagName}>` : `<${tagName}>`),
  )
  const positionOverride = /\\an[789]/.exec(block)?.[0]
  return (positionOverride ? `{${positionOverride}}` : '') + htmlTags.join('')
}
