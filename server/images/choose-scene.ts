import { findPalettes, type Palette } from './palette.ts'
import { createRandom } from './random.ts'
import { drawCurtain, drawMemphis } from './scenes/comedy.ts'
import { drawContactSheet } from './scenes/contacts.ts'
import { drawEclipse, drawHorizon, drawOrbits } from './scenes/cosmos.ts'
import { drawPaperCutout } from './scenes/cutouts.ts'
import { drawArches, drawBanner, drawColumns } from './scenes/history.ts'
import { drawMountainRanges, drawWaves } from './scenes/land.ts'
import { drawEye, drawMaze } from './scenes/mystery.ts'
import { drawSingleObject } from './scenes/objects.ts'
import { drawRoundShape, drawSwissStyle, drawTiles } from './scenes/print.ts'
import { drawMesa, drawRoad } from './scenes/roads.ts'
import { drawBotanica, drawFacesInProfile } from './scenes/romance.ts'
import { drawNeon, drawSkyline } from './scenes/skylines.ts'
import { drawStairs } from './scenes/stairs.ts'
import { drawCastle, drawKites, drawUnderwater } from './scenes/storybook.ts'
import { drawDoorway, drawWindows } from './scenes/walls.ts'
import { drawBranches, drawForest } from './scenes/woods.ts'
import { scenesByGenre } from './scenes-by-genre.ts'
import type { DrawScene } from './stage.ts'

export const scenesByName = {
  arches: drawArches,
  banner: drawBanner,
  botanica: drawBotanica,
  branches: drawBranches,
  castle: drawCastle,
  columns: drawColumns,
  contacts: drawContactSheet,
  curtain: drawCurtain,
  cutout: drawPaperCutout,
  deep: drawUnderwater,
  doorway: drawDoorway,
  eclipse: drawEclipse,
  eye: drawEye,
  forest: drawForest,
  horizon: drawHorizon,
  kites: drawKites,
  maze: drawMaze,
  memphis: drawMemphis,
  mesa: drawMesa,
  neon: drawNeon,
  object: drawSingleObject,
  orbits: drawOrbits,
  profiles: drawFacesInProfile,
  ranges: drawMountainRanges,
  rings: drawRoundShape,
  road: drawRoad,
  skyline: drawSkyline,
  stairs: drawStairs,
  swiss: drawSwissStyle,
  tiles: drawTiles,
  waves: drawWaves,
  windows: drawWindows,
} as const satisfies Record<string, DrawScene>

export type SceneName = keyof typeof scenesByName

/** Genres by how specific they are, most specific first. Drama (18) is not among them: most titles have it. */
const mostSpecificGenres = [
  37, 10762, 16, 99, 27, 10749, 10765, 878, 10768, 36, 14, 9648, 35, 80, 28, 10759, 12, 53, 10751,
]

interface SceneChoice {
  readonly genre: number
  readonly scene: SceneName
  readonly palette: Palette
}

/**
 * Chooses the scene and palette of a title. Only the part of the seed before the first colon is used, so that the
 * seasons and episodes of a series (`tt0903747:2:5`) share them.
 */
export function chooseScene(seed: string, genres: readonly number[]): SceneChoice {
  const rng = createRandom(`look ${seed.split(':', 1)[0]}`)
  const knownGenres = genres.filter((id) => id in scenesByGenre)
  const specific = knownGenres.filter((id) => id !== 18)
  const ranked = mostSpecificGenres.filter((id) => specific.includes(id))
  const genre = (rng.chance(0.7) ? ranked[0] : rng.pick(specific.length ? specific : [18])) ?? 18
  const scene = rng.pick(scenesByGenre[genre]!)
  // A third of the titles use the palette of another of their genres, so that rows of one genre look less uniform.
  const paletteGenre = rng.chance(0.34) ? rng.pick([...specific, genre].sort((a, b) => a - b)) : genre
  return { genre, scene, palette: rng.pick(findPalettes(paletteGenre)) }
}
