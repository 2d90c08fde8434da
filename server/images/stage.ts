import type { Palette } from './palette.ts'
import { n, rect } from './pen.ts'
import type { Random } from './random.ts'

/**
 * What a scene draws on: 200 x 300 units for a poster, 400 x 225 for a backdrop or still. On the wide stage the
 * focus lies towards the end side and the upper half, because pages put text over the start side and the bottom.
 */
export interface Stage {
  readonly w: number
  readonly h: number
  readonly wide: boolean
  /** Where the eye should go. */
  readonly fx: number
  readonly fy: number
  /** 1 for a poster; scales things that should keep their size relative to the height of the picture. */
  readonly u: number
  readonly c: Palette
  readonly rnd: Random
  readonly defs: string[]
}

export interface Lettering {
  /** The box the title has to stay in, in units of the poster. */
  readonly box: readonly [x: number, y: number, w: number, h: number]
  readonly face: Face
  readonly colour: string
  readonly align?: 'start' | 'middle' | 'end'
  readonly valign?: 'top' | 'middle' | 'bottom'
  readonly caps?: boolean
  /** `stack` gives every line its own size so that all lines are as wide as the box. */
  readonly mode?: 'block' | 'stack'
  readonly max?: number
  /** Letter spacing in em; ignored for scripts whose letters join. */
  readonly track?: number
  readonly rotate?: number
  /** The picture above the box must stay free; else tall scripts may grow 18 units into it. */
  readonly closed?: boolean
  /** A stroke in the colour of the letters makes them rounder and heavier. */
  readonly fat?: boolean
  /** Colour of the small line (year, original title); none if absent. */
  readonly small?: string
}

export type Face =
  | 'condensed'
  | 'heavy'
  | 'grotesk'
  | 'geometric'
  | 'didone'
  | 'oldstyle'
  | 'slab'
  | 'script'
  | 'mono'

export interface Drawn {
  readonly art: string
  readonly title: Lettering
}

export type Scene = (stage: Stage) => Drawn

export function stageOf(wide: boolean, c: Palette, rnd: Random): Stage {
  return wide
    ? { w: 400, h: 225, wide, fx: 272, fy: 92, u: 0.75, c, rnd, defs: [] }
    : { w: 200, h: 300, wide, fx: 100, fy: 120, u: 1, c, rnd, defs: [] }
}

/** `0 #fff .5, 1 #000` (offset, colour, opacity if not whole) as the stops of a gradient. */
const stopsOf = (list: string) =>
  list
    .split(', ')
    .map((text) => {
      const [offset, colour, opacity] = text.split(' ')
      const at = Math.round(Number(offset) * 1000) / 1000
      return `<stop offset="${at}" stop-color="${colour}"${opacity ? ` stop-opacity="${opacity}"` : ''}/>`
    })
    .join('')

function define(stage: Stage, make: (id: string) => string): string {
  const id = String.fromCharCode(97 + stage.defs.length)
  stage.defs.push(make(id))
  return `url(#${id})`
}

/** A linear gradient over the painted shape, from top to bottom unless told; returns its paint. */
export const linear = (stage: Stage, stops: string, direction = 'x2="0" y2="1"') =>
  define(stage, (id) => `<linearGradient id="${id}" ${direction}>${stopsOf(stops)}</linearGradient>`)

export const radial = (stage: Stage, stops: string, more = '') =>
  define(stage, (id) => `<radialGradient id="${id}"${more && ` ${more}`}>${stopsOf(stops)}</radialGradient>`)

/** A tile repeated over the painted shape; `turn` is a transform. */
export const pattern = (stage: Stage, w: number, h: number, inner: string, turn = '') =>
  define(
    stage,
    (id) =>
      `<pattern id="${id}" width="${n(w)}" height="${n(h)}" patternUnits="userSpaceOnUse"${
        turn && ` patternTransform="${turn}"`
      }>${inner}</pattern>`,
  )

/** A shape kept under an id for <use>. */
export function symbol(stage: Stage, make: (id: string) => string): string {
  return define(stage, make).slice(4, -1)
}

export const clip = (stage: Stage, inner: string) =>
  define(stage, (id) => `<clipPath id="${id}">${inner}</clipPath>`)

/** The whole stage in one paint. */
export const fill = (stage: Stage, paint: string, more = '') => rect(0, 0, stage.w, stage.h, paint, more)

/** A sky (or any ground) of evenly spaced colours from top to bottom. */
export const sky = (stage: Stage, ...colours: string[]) =>
  fill(stage, linear(stage, colours.map((colour, i) => `${i / (colours.length - 1)} ${colour}`).join(', ')))

/** Darkens towards the bottom so that letters stand on it. */
export const scrim = (stage: Stage, colour: string, from = 0.5, opacity = 0.9) =>
  rect(
    0,
    stage.h * from,
    stage.w,
    stage.h * (1 - from) + 1,
    linear(stage, `0 ${colour} 0, .42 ${colour} ${opacity * 0.85}, 1 ${colour} ${opacity}`),
  )
