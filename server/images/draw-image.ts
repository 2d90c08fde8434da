import { chooseScene } from './choose-scene.ts'
import { drawTitle } from './draw-title.ts'
import { findPalettes } from './palette.ts'
import { drawPortrait } from './portrait.ts'
import { createRandomGenerator } from './random.ts'
import { scenesByName } from './scenes-by-name.ts'
import { createStage, type Stage } from './stage.ts'
import { formatNumber } from './svg.ts'
import { isRtl, sanitiseText } from './title-text.ts'

export interface ImageSpec {
  readonly kind: 'poster' | 'backdrop' | 'still' | 'profile'
  /**
   * Width in pixels. The height follows from the kind: 2:3 for posters and profiles (people), 16:9 for backdrops and
   * stills.
   */
  readonly width: number
  /**
   * Stable key of the title or person. For a title, the part before the first `:` determines the palette. It also
   * determines the scene if `originalTitle` or `year` is missing. The details of the image depend on the whole key.
   */
  readonly seed: string
  readonly title: string
  readonly lang: string
  readonly originalTitle?: string
  readonly year?: number
  /** Catalogue genre ids, the most important first. */
  readonly genres: readonly number[]
  readonly type: 'movie' | 'tv'
}

const LANGUAGE_TAG_PATTERN = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i

function wrapInSvg(stage: Stage, width: number, body: string): string {
  const widthPx = Number.isFinite(width) ? Math.min(4000, Math.max(16, Math.round(width))) : stage.width
  const defs = stage.defs.length ? `<defs>${stage.defs.join('')}</defs>` : ''
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${Math.round((widthPx * stage.height) / stage.width)}" ` +
    `viewBox="0 0 ${stage.width} ${stage.height}">${defs}${body}</svg>`
  )
}

/**
 * Returns an SVG document of less than 6 kB, always the same for the same input. It contains no external resources,
 * scripts or styles, so an <img> element can show it under any CSP. `title` is untrusted input.
 */
export function drawImage(imageSpec: ImageSpec): string {
  const { kind, seed, width } = imageSpec
  const lang = LANGUAGE_TAG_PATTERN.test(imageSpec.lang) ? imageSpec.lang : 'en'
  if (kind === 'profile') {
    const random = createRandomGenerator(`profile ${seed}`)
    const stage = createStage(
      false,
      random.pick(findPalettes(random.pick([35, 18, 10749, 14, 878, 12, 16]))),
      random,
    )
    return wrapInSvg(stage, width, drawPortrait(stage, sanitiseText(imageSpec.title)))
  }
  const { originalTitle, year } = imageSpec
  const titleAndYear = originalTitle && year ? { name: originalTitle, year } : undefined
  const sceneChoice = chooseScene(seed, imageSpec.genres, titleAndYear)
  const stage = createStage(
    kind !== 'poster',
    sceneChoice.palette,
    createRandomGenerator(kind === 'still' ? `still ${seed}` : `art ${seed}`),
  )
  const drawing = scenesByName[sceneChoice.scene](stage)
  const title = sanitiseText(imageSpec.title)
  const isRightToLeft = kind === 'poster' ? isRtl(title) : isRtl(title) || /^(ar|fa|he|ur)\b/i.test(lang)
  const { align = 'middle', rotationDegrees } = drawing.titleLettering
  const canMirrorAtRandom = kind === 'poster' && align === 'middle' && !rotationDegrees
  const isMirrored = canMirrorAtRandom
    ? createRandomGenerator(`side ${seed}`).pickBoolean(0.5)
    : isRightToLeft
  const art = isMirrored
    ? `<g transform="matrix(-1 0 0 1 ${formatNumber(stage.width)} 0)">${drawing.art}</g>`
    : drawing.art
  if (kind !== 'poster') return wrapInSvg(stage, width, art)
  return wrapInSvg(
    stage,
    width,
    art +
      drawTitle(
        drawing.titleLettering,
        { title, lang, subtitle: formatSubtitle(imageSpec, title) },
        stage.width,
      ),
  )
}

/**
 * Returns the original title and the year. Omits the original title if it equals `title` or is longer than 30
 * characters.
 */
function formatSubtitle(imageSpec: ImageSpec, title: string): string {
  const originalTitle = sanitiseText(imageSpec.originalTitle ?? '')
  const year = Number.isInteger(imageSpec.year) ? String(imageSpec.year) : ''
  const isOriginalTitleShown =
    originalTitle && originalTitle.toLowerCase() !== title.toLowerCase() && originalTitle.length <= 30
  return [isOriginalTitleShown ? originalTitle : '', year].filter(Boolean).join('  ·  ')
}
