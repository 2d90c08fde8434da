import { lookOf, scenes } from './choose.ts'
import { letter } from './lettering.ts'
import { palettesOf } from './palette.ts'
import { n } from './pen.ts'
import { portrait } from './portrait.ts'
import { random } from './random.ts'
import { type Stage, stageOf } from './stage.ts'
import { clean, isRtl } from './words.ts'

export interface Picture {
  readonly kind: 'poster' | 'backdrop' | 'still' | 'profile'
  /** Pixels; the height follows from the kind: 2:3 for posters and profiles, 16:9 for backdrops and stills. */
  readonly width: number
  /** Stable name of the title. What stands before the first `:` chooses the world, the whole its details. */
  readonly seed: string
  readonly title: string
  readonly lang: string
  readonly originalTitle?: string
  readonly year?: number
  /** Ids of the catalogue's genres, the first the most important. */
  readonly genres: readonly number[]
  readonly type: 'movie' | 'tv'
}

const languageTag = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i

function frame(stage: Stage, width: number, body: string): string {
  const size = Number.isFinite(width) ? Math.min(4000, Math.max(16, Math.round(width))) : stage.w
  const defs = stage.defs.length ? `<defs>${stage.defs.join('')}</defs>` : ''
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${Math.round((size * stage.h) / stage.w)}" ` +
    `viewBox="0 0 ${stage.w} ${stage.h}">${defs}${body}</svg>`
  )
}

/**
 * A picture as an SVG document of less than 6 kB, the same for the same input. Nothing in it loads anything, no
 * script, no style: it may be shown by <img> under any policy. `title` may be hostile.
 */
export function drawImage(picture: Picture): string {
  const { kind, seed, width } = picture
  const lang = languageTag.test(picture.lang) ? picture.lang : 'en'
  if (kind === 'profile') {
    const rnd = random(`profile ${seed}`)
    const stage = stageOf(false, rnd.pick(palettesOf(rnd.pick([35, 18, 10749, 14, 878, 12, 16]))), rnd)
    return frame(stage, width, portrait(stage, clean(picture.title)))
  }
  const look = lookOf(seed, picture.genres)
  const stage = stageOf(
    kind !== 'poster',
    look.palette,
    random(kind === 'still' ? `still ${seed}` : `art ${seed}`),
  )
  const drawn = scenes[look.scene](stage)
  const title = clean(picture.title)
  const rtl = kind === 'poster' ? isRtl(title) : isRtl(title) || /^(ar|fa|he|ur)\b/i.test(lang)
  const { align = 'middle', rotate } = drawn.title
  const symmetric = kind === 'poster' && align === 'middle' && !rotate
  const flip = symmetric ? random(`side ${seed}`).chance(0.5) : rtl
  const art = flip ? `<g transform="matrix(-1 0 0 1 ${n(stage.w)} 0)">${drawn.art}</g>` : drawn.art
  if (kind !== 'poster') return frame(stage, width, art)
  return frame(
    stage,
    width,
    art + letter(drawn.title, { title, lang, small: smallText(picture, title) }, stage.w),
  )
}

/** Only what is true: the year, and the original title where it is another one and short. */
function smallText(picture: Picture, title: string): string {
  const original = clean(picture.originalTitle ?? '')
  const year = Number.isInteger(picture.year) ? String(picture.year) : ''
  const show = original && original.toLowerCase() !== title.toLowerCase() && original.length <= 30
  return [show ? original : '', year].filter(Boolean).join('  ·  ')
}

/** The colour that fills the place of the picture until it is there. */
export function colorOf(title: { readonly seed: string; readonly genres: readonly number[] }): `#${string}` {
  const { palette } = lookOf(title.seed, title.genres)
  return palette.deep as `#${string}`
}
