/** Converts subtitles to WebVTT in UTF-8: files on the server, and files that a viewer opens in the player. */
import { forEachOverride, isAssSubtitle, parseAssDialogue, type SubtitleCue } from './ass-subtitles.ts'
import { decodeText } from './text-encoding.ts'

/** Maximum size of a subtitle file. Larger files are neither served nor opened. */
export const MAX_SUBTITLE_BYTES = 10 * 1024 * 1024

/**
 * Converts SubRip, ASS, SSA or WebVTT. `lang` helps to guess the encoding. Never throws: unreadable text gives a file
 * without cues.
 */
export function convertToWebVtt(bytes: Uint8Array, lang?: string): string {
  const subtitleText = decodeText(bytes, lang)
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\0/g, '')
  if (/^WEBVTT(?:[ \t\n]|$)/.test(subtitleText)) return subtitleText
  return formatCues(isAssSubtitle(subtitleText) ? parseAssDialogue(subtitleText) : parseSubRip(subtitleText))
}

/** Returns the text of an ASS or SSA file; null for other formats. */
export function readAssScript(bytes: Uint8Array, lang?: string): string | null {
  const subtitleText = decodeText(bytes, lang)
  return isAssSubtitle(subtitleText) ? subtitleText : null
}

/** True when the result of `convertToWebVtt` has at least one cue. */
export const hasCues = (webVtt: string) => /^[^\n]*\d[ \t]+-->[ \t]+\d/m.test(webVtt)

const TIMING_LINE_PATTERN =
  /^\s*(\d{1,3}):(\d{1,2}):(\d{1,2})(?:[,.:](\d{1,3}))?\s*-+>\s*(\d{1,3}):(\d{1,2}):(\d{1,2})(?:[,.:](\d{1,3}))?/

/**
 * Parses SubRip. Cues are found by their timing lines, because numbers and blank lines are often wrong in real files.
 */
function parseSubRip(subtitleText: string): SubtitleCue[] {
  const cues: SubtitleCue[] = []
  let cue: SubtitleCue | null = null
  for (const line of subtitleText.split('\n')) {
    const timingMatch = TIMING_LINE_PATTERN.exec(line)
    if (timingMatch) {
      removeNextNumber(cue)
      cue = {
        startMs: parseMilliseconds(timingMatch, 1),
        endMs: parseMilliseconds(timingMatch, 5),
        lines: [],
      }
      cues.push(cue)
    } else cue?.lines.push(line)
  }
  return cues
}

const formatCues = (cues: SubtitleCue[]) => `WEBVTT\n\n${cues.map(formatCue).filter(Boolean).join('\n')}`

/**
 * Removes the number of the next cue from the text of this cue. The number precedes the next timing line, so it was
 * read as text of this cue.
 */
function removeNextNumber(cue: SubtitleCue | null): void {
  if (!cue) return
  while (cue.lines.at(-1)?.trim() === '') cue.lines.pop()
  if (/^\s*\d+\s*$/.test(cue.lines.at(-1) ?? '') && cue.lines.length > 1 && cue.lines.at(-2)?.trim() === '')
    cue.lines.pop()
  else if (/^\s*\d+\s*$/.test(cue.lines.at(-1) ?? '') && cue.lines.length === 1) cue.lines.pop()
}

function parseMilliseconds(timingMatch: RegExpExecArray, firstGroupIndex: number): number {
  const [hours, minutes, seconds] = [
    timingMatch[firstGroupIndex],
    timingMatch[firstGroupIndex + 1],
    timingMatch[firstGroupIndex + 2],
  ].map(Number)
  const milliseconds = Number((timingMatch[firstGroupIndex + 3] ?? '0').padEnd(3, '0'))
  return (((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000 + milliseconds
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
