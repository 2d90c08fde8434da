/** Subtitles on their way out: SubRip becomes WebVTT, WebVTT becomes UTF-8. */
import { decodeText } from './text-encoding.ts'

/** Larger ones are not subtitles. */
export const SUBTITLE_MOST_BYTES = 10 * 1024 * 1024

/** `lang` helps to guess the encoding. Never throws: what cannot be read gives a file without cues. */
export function toWebVtt(bytes: Uint8Array, lang?: string): string {
  const text = decodeText(bytes, lang)
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\0/g, '')
  return /^WEBVTT(?:[ \t\n]|$)/.test(text) ? text : fromSubRip(text)
}

const TIMING =
  /^\s*(\d{1,3}):(\d{1,2}):(\d{1,2})(?:[,.:](\d{1,3}))?\s*-+>\s*(\d{1,3}):(\d{1,2}):(\d{1,2})(?:[,.:](\d{1,3}))?/

interface Cue {
  start: number
  end: number
  lines: string[]
}

/** Timing lines are what cues are found by: numbers, blank lines and order are often wrong in the wild. */
export function fromSubRip(text: string): string {
  const cues: Cue[] = []
  let cue: Cue | null = null
  for (const line of text.split('\n')) {
    const times = TIMING.exec(line)
    if (times) {
      dropNumber(cue)
      cue = { start: milliseconds(times, 1), end: milliseconds(times, 5), lines: [] }
      cues.push(cue)
    } else cue?.lines.push(line)
  }
  const written = cues.map(write).filter(Boolean)
  return `WEBVTT\n\n${written.join('\n')}`
}

/** The number of the next cue was read as text of this one. */
function dropNumber(cue: Cue | null): void {
  if (!cue) return
  while (cue.lines.at(-1)?.trim() === '') cue.lines.pop()
  if (/^\s*\d+\s*$/.test(cue.lines.at(-1) ?? '') && cue.lines.length > 1 && cue.lines.at(-2)?.trim() === '')
    cue.lines.pop()
  else if (/^\s*\d+\s*$/.test(cue.lines.at(-1) ?? '') && cue.lines.length === 1) cue.lines.pop()
}

function milliseconds(found: RegExpExecArray, from: number): number {
  const [hours, minutes, seconds] = [found[from], found[from + 1], found[from + 2]].map(Number)
  const fraction = Number((found[from + 3] ?? '0').padEnd(3, '0'))
  return (((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000 + fraction
}

function write({ start, end, lines }: Cue): string {
  const text = lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n')
  if (text === '' || end <= start) return ''
  const top = /\{\\an[789]\}/.test(text) ? ' line:0' : ''
  return `${clock(start)} --> ${clock(end)}${top}\n${markup(text)}\n`
}

/** Bold, italics and underline stay; other tags and drawing commands go; what is left is text. */
function markup(text: string): string {
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

function clock(ms: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}.${String(ms % 1000).padStart(3, '0')}`
}
