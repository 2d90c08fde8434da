import { compose, type Setting } from './breaking.ts'
import { advance, arabicFaces, arabicLeading, faces } from './faces.ts'
import { n } from './pen.ts'
import type { Face, Lettering } from './stage.ts'
import { escapeXml, graphemes, isRtl, joins, words } from './words.ts'

/** In em. An estimate on the safe side: which font of a stack is used differs per system. */
export function widthOf(text: string, face: Face, track = 0): number {
  return graphemes(text).reduce((sum, part) => sum + advance(part, face) + track, 0)
}

interface TitleText {
  readonly title: string
  readonly lang: string
  /** Year and the like, already clean; may be empty. */
  readonly small: string
}

const anchorAt = { start: 0, middle: 0.5, end: 1 } as const

/** Everything about one title that does not depend on where its lines lie. */
function manner(spec: Lettering, text: TitleText) {
  const joined = joins(text.title)
  const caps = (spec.caps ?? false) && !joined
  const face = faces[spec.face]
  return {
    joined,
    shown: caps ? text.title.toLocaleUpperCase(text.lang) : text.title,
    family: joined ? arabicFaces[face.arabic].family : face.family,
    weight: joined ? Math.max(face.weight, 600) : face.weight,
    track: joined ? 0 : (spec.track ?? 0),
    leading: joined ? arabicLeading : caps ? face.leading * 0.94 : face.leading * 1.06,
    /** From the top of the line to its baseline, in em. */
    drop: joined ? 0.98 : caps ? 0.83 : 0.86,
  }
}

type Manner = ReturnType<typeof manner>

/** The title and its small line as SVG text. The box is mirrored for titles that run from right to left. */
export function letter(spec: Lettering, text: TitleText, stageWidth: number): string {
  const rtl = isRtl(text.title)
  const how = manner(spec, text)
  const [bx, by0, bw, bh0] = spec.box
  // Joined scripts stand higher for the same size: the box grows into the picture above.
  const grow = how.joined && !spec.closed && (spec.valign ?? 'bottom') === 'bottom' ? 18 : 0
  const [by, bh] = [by0 - grow, bh0 + grow]
  const room = spec.small && text.small ? 15 : 0
  const inner: Lettering = { ...spec, box: [bx, by, bw, (bh - room) * (how.joined ? 0.92 : 1)] }
  const set = compose(words(how.shown, text.lang), inner, how.leading, (t) =>
    widthOf(t, spec.face, how.track),
  )
  const align = spec.align ?? 'middle'
  const left = rtl ? stageWidth - bx - bw : bx
  const x = left + bw * (rtl ? 1 - anchorAt[align] : anchorAt[align])
  /* The tails of joined letters hang far below their line, into the small one. */
  const tail = room && how.joined ? (set.lines.at(-1)?.size ?? 0) * 0.2 : 0
  const free = bh - room - set.height - tail
  const top = by + (spec.valign === 'top' ? 0 : spec.valign === 'middle' ? free / 2 : free)
  const common = `text-anchor="${align}"${rtl ? ' direction="rtl"' : ''}`
  const fat = spec.fat
    ? ` stroke="${spec.colour}" stroke-width="${n((set.lines[0]?.size ?? 0) * 0.045)}" stroke-linejoin="round"`
    : ''
  const all =
    `<g font-family="${how.family}" font-weight="${how.weight}" fill="${spec.colour}"${fat} ${common}>` +
    `${linesAt(x, top, bw, set, how)}</g>${smallLine(spec, text.small, x, top + set.height + tail + 11, common)}`
  if (!spec.rotate) return all
  return `<g transform="rotate(${rtl ? -spec.rotate : spec.rotate} ${n(left + bw / 2)} ${n(by + bh / 2)})">${all}</g>`
}

/** Lines near the full width are pinned to it, so that another font cannot run out of the box. */
function linesAt(x: number, top: number, boxWidth: number, set: Setting, how: Manner): string {
  let y = top
  return set.lines
    .map(({ text, size, width }) => {
      const baseline = y + size * (how.drop + (how.leading - 1) * (how.joined ? 0.35 : 0.2))
      y += size * how.leading
      const pinned =
        !how.joined && width * size > boxWidth * 0.88
          ? ` textLength="${n((width - how.track) * size)}" lengthAdjust="spacingAndGlyphs"`
          : ''
      const spaced = how.track ? ` letter-spacing="${n(how.track * size)}"` : ''
      return `<text x="${n(x)}" y="${n(baseline)}" font-size="${n(size)}"${pinned}${spaced}>${escapeXml(text)}</text>`
    })
    .join('')
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
