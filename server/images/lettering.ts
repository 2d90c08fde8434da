import { advance, arabicFaces, arabicLeading, faces } from './faces.ts'
import { n } from './pen.ts'
import type { Face, Lettering } from './stage.ts'
import { escapeXml, graphemes, isRtl, joins, type Word, words } from './words.ts'

interface Line {
  readonly text: string
  /** In em of the face. */
  readonly width: number
}

export function widthOf(text: string, face: Face, track = 0): number {
  return graphemes(text).reduce((sum, part) => sum + advance(part, face) + track, 0)
}

/** Breaks into `count` lines so that the widest is as narrow as possible (dynamic programming, few words). */
export function balance(list: readonly Word[], count: number, measure: (text: string) => number): Line[] {
  const join = (from: number, to: number) =>
    list.slice(from, to).reduce((text, word, i) => text + (i === 0 ? '' : word.glue) + word.text, '')
  const size = list.length
  const best: { cost: number; from: number }[][] = [[{ cost: 0, from: 0 }]]
  for (let k = 1; k <= count; k++) {
    const row: { cost: number; from: number }[] = []
    for (let end = k; end <= size - (count - k); end++)
      for (let from = k - 1; from < end; from++) {
        const before = best[k - 1]?.[from]
        if (!before) continue
        const cost = Math.max(before.cost, measure(join(from, end)))
        if (!row[end] || cost < row[end].cost) row[end] = { cost, from }
      }
    best.push(row)
  }
  const lines: Line[] = []
  for (let k = count, end = size; k > 0; k--) {
    const from = best[k]![end]!.from
    const text = join(from, end)
    lines.unshift({ text, width: measure(text) })
    end = from
  }
  return lines
}

interface Fitted {
  readonly lines: readonly (Line & { readonly size: number })[]
  readonly height: number
}

/** The biggest setting that stays inside the box; one more line must win at least a tenth in size. */
function _fit(
  list: readonly Word[],
  spec: Lettering,
  leading: number,
  measure: (text: string) => number,
): Fitted {
  const [, , w, h] = spec.box
  const max = spec.max ?? 60
  const stack = spec.mode === 'stack'
  let chosen: Fitted | undefined
  let score = 0
  for (let count = 1; count <= Math.min(list.length, 7); count++) {
    const broken = balance(list, count, measure)
    const widest = Math.max(...broken.map((line) => line.width))
    const even = Math.min(max, w / widest)
    let sizes = broken.map((line) => (stack ? Math.min(max * 1.5, even * 2.1, w / line.width) : even))
    const sum = sizes.reduce((a, b) => a + b, 0) * leading
    if (sum > h) sizes = sizes.map((size) => (size * h) / sum)
    const ink =
      broken.reduce((a, line, i) => a + line.width * sizes[i]! ** 2, 0) *
      (stack ? 1 : even > max * 0.99 ? 0.9 : 1)
    if (chosen && ink <= score * 1.12) continue
    score = ink
    chosen = { lines: broken.map((line, i) => ({ ...line, size: sizes[i]! })), height: Math.min(sum, h) }
  }
  return chosen ?? { lines: [], height: 0 }
}

export interface TitleText {
  readonly title: string
  readonly lang: string
  /** Year and the like, already clean; may be empty. */
  readonly small: string
}

const anchorAt = { start: 0, middle: 0.5, end: 1 } as const

/** The title and its small line as SVG text. The box is mirrored for titles that run from right to left. */
export function letter(spec: Lettering, text: TitleText, stageWidth: number): string {
  const rtl = isRtl(text.title)
  const joined = joins(text.title)
  const caps = (spec.caps ?? false) && !joined
  const shown = caps ? text.title.toLocaleUpperCase(text.lang) : text.title
  const face = faces[spec.face]
  const track = joined ? 0 : (spec.track ?? 0)
  const leading = joined ? arabicLeading : caps ? face.leading * 0.94 : face.leading * 1.06
  const [bx, by0, bw, bh0] = spec.box
  // Joined scripts stand higher for the same size: the box grows into the picture above.
  const grow = joined && !spec.closed && (spec.valign ?? 'bottom') === 'bottom' ? 18 : 0
  const [by, bh] = [by0 - grow, bh0 + grow]
  const room = spec.small && text.small ? 15 : 0
  const inner: Lettering = { ...spec, box: [bx, by, bw, bh - room] }
  const fitted = it(words(shown, text.lang), inner, leading, (t) =>
    Math.max(0.4, widthOf(t, spec.face, track)),
  )
  const align = spec.align ?? 'middle'
  const left = rtl ? stageWidth - bx - bw : bx
  const share = anchorAt[align]
  const x = left + bw * (rtl ? 1 - share : share)
  const free = bh - room - fitted.height
  const top = by + (spec.valign === 'top' ? 0 : spec.valign === 'middle' ? free / 2 : free)
  let y = top
  const drop = joined ? 0.98 : caps ? 0.83 : 0.86
  const tspans = fitted.lines.map((line) => {
    const baseline = y + line.size * (drop + (leading - 1) * (joined ? 0.35 : 0.2))
    y += line.size * leading
    const wide = line.width * line.size
    const pinned =
      !joined && wide > bw * 0.88
        ? ` textLength="${n(wide - track * line.size)}" lengthAdjust="spacingAndGlyphs"`
        : ''
    const spaced = track ? ` letter-spacing="${n(track * line.size)}"` : ''
    return `<text x="${n(x)}" y="${n(baseline)}" font-size="${n(line.size)}"${pinned}${spaced}>${escapeXml(line.text)}</text>`
  })
  const family = joined ? arabicFaces[face.arabic].family : face.family
  const fat = spec.fat
    ? ` stroke="${spec.colour}" stroke-width="${n((fitted.lines[0]?.size ?? 0) * 0.045)}" stroke-linejoin="round"`
    : ''
  const common = `text-anchor="${align}"${rtl ? ' direction="rtl"' : ''}`
  const body =
    `<g font-family="${family}" font-weight="${joined ? Math.max(face.weight, 600) : face.weight}" ` +
    `fill="${spec.colour}"${fat} ${common}>${tspans.join('')}</g>`
  const all = body + smallLine(spec, text.small, x, y + 11, common)
  if (!spec.rotate) return all
  return `<g transform="rotate(${rtl ? -spec.rotate : spec.rotate} ${n(left + bw / 2)} ${n(by + bh / 2)})">${all}</g>`
}

function smallLine(spec: Lettering, small: string, x: number, y: number, common: string): string {
  if (!spec.small || !small) return ''
  const joined = joins(small)
  const wide = widthOf(small, 'grotesk', 0.12)
  const size = Math.min(9, spec.box[2] / wide)
  if (size < 4.5) return ''
  return (
    `<text x="${n(x)}" y="${n(y)}" font-family="'Helvetica Neue',Arial,'Liberation Sans',Roboto,'Noto Sans Arabic',sans-serif" ` +
    `font-size="${n(size)}" font-weight="600"${joined ? '' : ' letter-spacing="1"'} fill="${spec.small}" ${common}>` +
    `${escapeXml(small)}</text>`
  )
}
