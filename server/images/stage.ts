import type { Palette } from './palette.ts'
import type { RandomGenerator } from './random.ts'
import { createRect, formatNumber } from './svg.ts'

/**
 * The canvas of a scene: 200 x 300 units for a poster, 400 x 225 for a backdrop or still. On the wide stage, the focus
 * point is above and to the right of the centre, because pages show text over the start side and the bottom.
 */
export interface Stage {
  readonly width: number
  readonly height: number
  readonly isWide: boolean
  /** The focus point, where the main motif is drawn. */
  readonly focusX: number
  readonly focusY: number
  /** Factor for lengths that depend on the height of the image: 1 for a poster, less on the wide stage. */
  readonly scale: number
  readonly palette: Palette
  readonly random: RandomGenerator
  /** Gradients, patterns, clip paths and symbols; their index determines their id. */
  readonly defs: string[]
}

export interface TitleLettering {
  /** The box that contains the title, in units of the poster stage. */
  readonly box: readonly [x: number, y: number, width: number, height: number]
  readonly typeface: TypefaceName
  readonly colour: string
  readonly align?: 'start' | 'middle' | 'end'
  readonly valign?: 'top' | 'middle' | 'bottom'
  readonly isUppercase?: boolean
  /**
   * With `stack`, every line has its own font size: short lines are enlarged up to the width of the box, within limits.
   * With `block`, all lines have the same font size.
   */
  readonly layout?: 'block' | 'stack'
  /** Maximum font size in units of the poster stage. */
  readonly maxFontSize?: number
  /** Letter spacing in em; ignored for joined scripts such as Arabic. */
  readonly letterSpacingEm?: number
  readonly rotationDegrees?: number
  /**
   * True if the box must not grow. Otherwise, a title in a joined script such as Arabic may extend 18 units of the
   * poster stage above a box with `valign` bottom, because the letters of joined scripts are taller.
   */
  readonly isFixedHeight?: boolean
  /** True to add a stroke in the text colour, which makes letters rounder and heavier. */
  readonly hasStroke?: boolean
  /** Colour of the subtitle (year, original title). Without a colour, the subtitle is not drawn. */
  readonly subtitleColour?: string
}

export type TypefaceName =
  | 'condensed'
  | 'heavy'
  | 'grotesk'
  | 'geometric'
  | 'didone'
  | 'oldstyle'
  | 'slab'
  | 'script'
  | 'mono'

export interface SceneDrawing {
  /** SVG markup of the scene, without the title. */
  readonly art: string
  readonly titleLettering: TitleLettering
}

export type DrawScene = (stage: Stage) => SceneDrawing

export function createStage(isWide: boolean, palette: Palette, random: RandomGenerator): Stage {
  return isWide
    ? { width: 400, height: 225, isWide, focusX: 272, focusY: 92, scale: 0.75, palette, random, defs: [] }
    : { width: 200, height: 300, isWide, focusX: 100, focusY: 120, scale: 1, palette, random, defs: [] }
}

/** Returns gradient stops for a list such as `0 #fff .5, 1 #000` (offset, colour, optional opacity). */
const createGradientStops = (stops: string) =>
  stops
    .split(', ')
    .map((stop) => {
      const [offset, colour, opacity] = stop.split(' ')
      const roundedOffset = Math.round(Number(offset) * 1000) / 1000
      return `<stop offset="${roundedOffset}" stop-color="${colour}"${opacity ? ` stop-opacity="${opacity}"` : ''}/>`
    })
    .join('')

/** Adds a definition to the stage. Returns the paint that refers to the definition: a value for `fill` or `stroke`. */
function addDefinition(stage: Stage, createElement: (id: string) => string): string {
  const id = String.fromCharCode(97 + stage.defs.length)
  stage.defs.push(createElement(id))
  return `url(#${id})`
}

/** Defines a linear gradient over the painted shape, by default from top to bottom. Returns its paint. */
export const defineLinearGradient = (stage: Stage, stops: string, direction = 'x2="0" y2="1"') =>
  addDefinition(
    stage,
    (id) => `<linearGradient id="${id}" ${direction}>${createGradientStops(stops)}</linearGradient>`,
  )

/** Defines a radial gradient over the painted shape. Returns its paint. */
export const defineRadialGradient = (stage: Stage, stops: string, attributes = '') =>
  addDefinition(
    stage,
    (id) =>
      `<radialGradient id="${id}"${attributes && ` ${attributes}`}>${createGradientStops(stops)}</radialGradient>`,
  )

/** Defines a tile that repeats over the painted shape. Returns its paint. */
export const defineTilePattern = (
  stage: Stage,
  width: number,
  height: number,
  innerMarkup: string,
  transform = '',
) =>
  addDefinition(
    stage,
    (id) =>
      `<pattern id="${id}" width="${formatNumber(width)}" height="${formatNumber(height)}" patternUnits="userSpaceOnUse"${
        transform && ` patternTransform="${transform}"`
      }>${innerMarkup}</pattern>`,
  )

/** Defines a shape. Returns the value for the `href` attribute of `<use>`, such as `#a`. */
export function defineSymbol(stage: Stage, createElement: (id: string) => string): string {
  return addDefinition(stage, createElement).slice(4, -1)
}

/** Defines a clip path. Returns the value for the `clip-path` attribute. */
export const defineClipPath = (stage: Stage, innerMarkup: string) =>
  addDefinition(stage, (id) => `<clipPath id="${id}">${innerMarkup}</clipPath>`)

/** Returns a rectangle that covers the stage. */
export const fillStage = (stage: Stage, paint: string, attributes = '') =>
  createRect(0, 0, stage.width, stage.height, paint, attributes)

/** Returns a rectangle over the stage, painted with evenly spaced colours from top to bottom. */
export const drawSkyGradient = (stage: Stage, ...colours: string[]) =>
  fillStage(
    stage,
    defineLinearGradient(
      stage,
      colours.map((colour, i) => `${i / (colours.length - 1)} ${colour}`).join(', '),
    ),
  )

/**
 * Returns a rectangle over the lower part of the stage. Its colour becomes denser towards the bottom, so that the title
 * is legible.
 */
export const drawScrimGradient = (stage: Stage, colour: string, startOffset = 0.5, opacity = 0.9) =>
  createRect(
    0,
    stage.height * startOffset,
    stage.width,
    stage.height * (1 - startOffset) + 1,
    defineLinearGradient(stage, `0 ${colour} 0, .42 ${colour} ${opacity * 0.85}, 1 ${colour} ${opacity}`),
  )
