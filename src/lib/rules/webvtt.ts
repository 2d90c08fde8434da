/** Converts subtitles to WebVTT in UTF-8: files on the server, and files that a viewer opens in the player. */
import { forEachOverride, isAssSubtitle, parseAssDialogue, type SubtitleCue } from './ass-subtitles.ts'
import { decodeText } from './text-encoding.ts'

/** Maximum size of a subtitle file. Larger files are neither served nor opened. */
export const MAX_SUBTITLE_BYTES = 10 * 1024 * 1024

/**
 * Converts SubRip, ASS, SSA, MicroDVD or WebVTT. `lang` helps to guess the encoding. `framesPerSecond` is the frame
 * rate of the video, for MicroDVD files that state none. Never throws: unreadable text gives a file without cues.
 */
export function convertToWebVtt(bytes: Uint8Array, lang?: string, framesPerSecond?: number): string {
  const subtitleText = decodeText(bytes, lang)
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\0/g, '')
  if (/^WEBVTT(?:[ \t\n]|$)/.test(subtitleText)) return repairWebVttTimes(subtitleText)
  if (isMicroDvd(subtitleText)) return formatCues(parseMicroDvd(subtitleText, framesPerSecond))
  return formatCues(isAssSubtitle(subtitleText) ? parseAssDialogue(subtitleText) : parseSubRip(subtitleText))
}

/** Returns the text of an ASS or SSA file; null for other formats. */
export function readAssScript(bytes: Uint8Array, lang?: string): string | null {
  const subtitleText = decodeText(bytes, lang)
  return isAssSubtitle(subtitleText) ? subtitleText : null
}

/** True when the result of `convertToWebVtt` has at least one cue. */
export const hasCues = (webVtt: string) => /^[^\n]*\d[ \t]+-->[ \t]+\d/m.test(webVtt)

/**
 * A time of SubRip: minus sign, hours, minutes, seconds and milliseconds. Some files lack the hours. Times have a minus
 * sign if all times of the file were shifted back too far, and contain spaces after optical character recognition.
 */
const SUBRIP_TIME =
  '(-?) ?(?:(\\d{1,3}) ?: ?)?(\\d{1,2}) ?: ?(\\d{1,2})(?: ?[,.:] ?(\\d{1,3})\\d*)?(?![\\d:])'
const TIMING_LINE_PATTERN = new RegExp(`^\\s*${SUBRIP_TIME}\\s*-+>\\s*${SUBRIP_TIME}`)
const GROUPS_PER_TIME = 5
/** WebVTT times with a decimal comma, as in SubRip. Browsers drop such cues, so the comma is replaced with a point. */
const WEBVTT_TIMES_WITH_COMMA_PATTERN =
  /^((?:\d{2,}:)?\d{2}:\d{2}),(\d{3}[ \t]+-->[ \t]+(?:\d{2,}:)?\d{2}:\d{2}),(\d{3})/gm
const repairWebVttTimes = (webVtt: string) => webVtt.replace(WEBVTT_TIMES_WITH_COMMA_PATTERN, '$1.$2.$3')

/**
 * Parses SubRip. Cues are found by their timing lines, because numbers and blank lines are often wrong in real files.
 */
function parseSubRip(subtitleText: string): SubtitleCue[] {
  const cues: SubtitleCue[] = []
  let cue: SubtitleCue | null = null
  let cueNumber: number | null = null
  for (const line of subtitleText.split('\n')) {
    const timingMatch = TIMING_LINE_PATTERN.exec(line)
    if (timingMatch) {
      cueNumber = removeNextCueNumber(cue, cueNumber)
      cue = {
        startMs: parseMilliseconds(timingMatch, 1),
        endMs: parseMilliseconds(timingMatch, 1 + GROUPS_PER_TIME),
        lines: [],
      }
      cues.push(cue)
    } else if (cue) cue.lines.push(line)
    else if (/^\s*\d+\s*$/.test(line)) cueNumber = Number(line)
  }
  return cues
}

const MICRO_DVD_LINE_PATTERN = /^\s*\{(\d+)\}\{(\d*)\}(.*)$/
/** Frame rate of films. Most MicroDVD files were made for films. */
const DEFAULT_FRAMES_PER_SECOND = 23.976
/** Longest time that a cue without an end is shown. */
const MAX_OPEN_CUE_MS = 4_000
const isMicroDvd = (subtitleText: string) => /^\s*\{\d+\}\{\d*\}/.test(subtitleText)

/**
 * Parses MicroDVD, whose times are numbers of frames: `{25}{75}One|Two`. The first cue may state the frame rate:
 * `{1}{1}25.000`.
 */
function parseMicroDvd(subtitleText: string, framesPerSecond = DEFAULT_FRAMES_PER_SECOND): SubtitleCue[] {
  const cues: SubtitleCue[] = []
  let statedFramesPerSecond = framesPerSecond
  for (const line of subtitleText.split('\n')) {
    const [, startFrame, endFrame, text = ''] = MICRO_DVD_LINE_PATTERN.exec(line) ?? []
    if (startFrame === undefined) continue
    const statedRate = Number(text.trim().replace(',', '.'))
    if (cues.length === 0 && Number(startFrame) <= 1 && statedRate >= 5 && statedRate <= 120) {
      statedFramesPerSecond = statedRate
      continue
    }
    const toMilliseconds = (frame: string) => Math.round((Number(frame) * 1000) / statedFramesPerSecond)
    const startMs = toMilliseconds(startFrame)
    cues.push({
      startMs,
      endMs: endFrame === '' ? startMs + MAX_OPEN_CUE_MS : toMilliseconds(endFrame ?? ''),
      lines: text.split('|').map(convertMicroDvdLine),
    })
  }
  for (const [index, cue] of cues.entries()) {
    const nextCue = cues[index + 1]
    if (nextCue && nextCue.startMs > cue.startMs) cue.endMs = Math.min(cue.endMs, nextCue.startMs)
  }
  return cues
}

/**
 * Converts a line to SubRip markup. The code `{y:i}` and a slash at the start make the line italic. All other codes,
 * such as `{c:$0000ff}`, are removed.
 */
function convertMicroDvdLine(line: string): string {
  const text = line.replace(/\{[a-z]:[^}]{0,40}\}/gi, '').replace(/^\s*\//, '')
  const isItalic = /\{y:[^}]{0,40}i/i.test(line) || /^\s*\//.test(line)
  return isItalic ? `<i>${text}</i>` : text
}

const formatCues = (cues: SubtitleCue[]) => `WEBVTT\n\n${cues.map(formatCue).filter(Boolean).join('\n')}`

/**
 * Removes the number of the next cue from the lines of a cue, and returns the number; null if there is none. The number
 * precedes the next timing line, so it was read as the last line of this cue. A number in the last line is the number
 * of the next cue in three cases: it is the only line, the line before it is empty, or it is one higher than
 * `cueNumber`, the number of this cue. Any other number is text. Before the first cue, returns `cueNumber`.
 */
function removeNextCueNumber(cue: SubtitleCue | null, cueNumber: number | null): number | null {
  if (!cue) return cueNumber
  while (cue.lines.at(-1)?.trim() === '') cue.lines.pop()
  const lastLine = cue.lines.at(-1) ?? ''
  if (!/^\s*\d+\s*$/.test(lastLine)) return null
  const isNextCueNumber =
    cue.lines.length === 1 ||
    cue.lines.at(-2)?.trim() === '' ||
    (cueNumber !== null && Number(lastLine) === cueNumber + 1)
  if (isNextCueNumber) cue.lines.pop()
  return isNextCueNumber ? Number(lastLine) : null
}

/** Returns a time in milliseconds. A time before the start of the video becomes 0. */
function parseMilliseconds(timingMatch: RegExpExecArray, firstGroupIndex: number): number {
  const [minusSign, hours = '0', minutes, seconds, fraction = '0'] = timingMatch.slice(
    firstGroupIndex,
    firstGroupIndex + GROUPS_PER_TIME,
  )
  if (minusSign === '-') return 0
  const totalSeconds = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return totalSeconds * 1000 + Number(fraction.padEnd(3, '0'))
}

function formatCue({ startMs, endMs, lines }: SubtitleCue): string {
  const cueText = lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n')
  const cueMarkup = convertMarkup(cueText)
  if (cueMarkup === '' || endMs <= startMs) return ''
  const positionSetting = /\{\\an[789]\}/.test(cueText) ? ' line:0' : ''
  return `${formatTime(startMs)} --> ${formatTime(endMs)}${positionSetting}\n${cueMarkup}\n`
}

/** Keeps bold, italic and underline tags, removes other tags and codes such as `{\an8}`, and escapes the rest. */
function convertMarkup(cueText: string): string {
  return removeOverrides(cueText)
    .replace(/\{([biu])\}/gi, '<$1>')
    .replace(/\{\/([biu])\}/gi, '</$1>')
    .replace(/&(?:quot|#0?34);/g, '"')
    .replace(/&(?:apos|#0?39);/g, "'")
    .replace(/&(?!(?:amp|lt|gt|nbsp|lrm|rlm);)/g, '&amp;')
    .replace(/<(?!\/?[biu]>)\/?[a-z][^<>]{0,200}>/gi, '')
    .replace(/<(?!\/?[biu]>)/gi, '&lt;')
    .replace(/<(\/?[BIU])>/g, (_, tag: string) => `<${tag.toLowerCase()}>`)
    .replace(/-->/g, '--&gt;')
}

/** Removes blocks such as `{\an8}`, and keeps other text in braces. */
function removeOverrides(cueText: string): string {
  let remainingText = ''
  forEachOverride(cueText, (text, block) => {
    const overrideIndex = block.indexOf('{\\')
    remainingText += text + (overrideIndex < 0 ? block : block.slice(0, overrideIndex))
  })
  return remainingText
}

function formatTime(timeMs: number): string {
  const formatTwoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${formatTwoDigits(timeMs / 3_600_000)}:${formatTwoDigits((timeMs / 60_000) % 60)}:${formatTwoDigits((timeMs / 1000) % 60)}.${String(timeMs % 1000).padStart(3, '0')}`
}
