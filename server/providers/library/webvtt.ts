/** Converts subtitles to WebVTT in UTF-8. */
import { decodeText } from './text-encoding.ts'

/** Maximum size of a subtitle file. Larger files are not served. */
export const MAX_SUBTITLE_BYTES = 10 * 1024 * 1024

/** Converts SubRip or WebVTT. `lang` helps to guess the encoding. Never throws: unreadable text gives a file without cues. */
export function convertToWebVtt(bytes: Uint8Array, lang?: string): string {
  const text = decodeText(bytes, lang)
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\0/g, '')
  return /^WEBVTT(?:[ \t\n]|$)/.test(text) ? text : convertSubRip(text)
}

const TIMING_LINE =
  /^\s*(\d{1,3}):(\d{1,2}):(\d{1,2})(?:[,.:](\d{1,3}))?\s*-+>\s*(\d{1,3}):(\d{1,2}):(\d{1,2})(?:[,.:](\d{1,3}))?/

interface Cue {
  startMs: number
  endMs: number
  lines: string[]
}

/** Converts SubRip. Cues are found by their timing lines, because numbers and blank lines are often wrong in real files. */
export function convertSubRip(text: string): string {
  const cues: Cue[] = []
  let cue: Cue | null = null
  for (const line of text.split('\n')) {
    const timing = TIMING_LINE.exec(line)
    if (timing) {
      removeNextNumber(cue)
      cue = { startMs: parseMilliseconds(timing, 1), endMs: parseMilliseconds(timing, 5), lines: [] }
      cues.push(cue)
    } else cue?.lines.push(line)
  }
  const formattedCues = cues.map(formatCue).filter(Boolean)
  return `WEBVTT\n\n${formattedCues.join('\n')}`
}

/** Removes the number of the next cue, which precedes its timing line and was read as text of this cue. */
function removeNextNumber(cue: Cue | null): void {
  if (!cue) return
  while (cue.lines.at(-1)?.trim() === '') cue.lines.pop()
  if (/^\s*\d+\s*$/.test(cue.lines.at(-1) ?? '') && cue.lines.length > 1 && cue.lines.at(-2)?.trim() === '')
    cue.lines.pop()
  else if (/^\s*\d+\s*$/.test(cue.lines.at(-1) ?? '') && cue.lines.length === 1) cue.lines.pop()
}

function parseMilliseconds(match: RegExpExecArray, firstGroup: number): number {
  const [hours, minutes, seconds] = [match[firstGroup], match[firstGroup + 1], match[firstGroup + 2]].map(
    Number,
  )
  const fraction = Number((match[firstGroup + 3] ?? '0').padEnd(3, '0'))
  return (((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000 + fraction
}

function formatCue({ startMs, endMs, lines }: Cue): string {
  const text = lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n')
  if (text === '' || endMs <= startMs) return ''
  const position = /\{\\an[789]\}/.test(text) ? ' line:0' : ''
  return `${formatTime(startMs)} --> ${formatTime(endMs)}${position}\n${convertMarkup(text)}\n`
}

/** Keeps bold, italic and underline tags, removes other tags and drawing commands, and escapes the rest. */
function convertMarkup(text: string): string {
  return text
    .replace(/\{\\[^}]*\}/g, '')
    .replace(/\{([biu])\}/gi, '<$1>')
    .replace(/\{\/([biu])\}/gi, '</$1>')
    .replace(/&(?!(?:amp|lt|gt|nbsp|lrm|rlm);)/g, '&amp;')
    .replace(/<(?!\/?[biu]>)\/?[a-z][^>]{0,200}>/gi, '')
    .replace(/<(?!\/?[biu]>)/gi, '&lt;')
    .replace(/<(\/?[BIU])>/g, (_, tag: string) => `<${tag.toLowerCase()}>`)
    .replace(/-->/g, '--&gt;')
}

function formatTime(ms: number): string {
  const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${twoDigits(ms / 3_600_000)}:${twoDigits((ms / 60_000) % 60)}:${twoDigits((ms / 1000) % 60)}.${String(ms % 1000).padStart(3, '0')}`
}
