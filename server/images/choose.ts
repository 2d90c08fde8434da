import { type Palette, palettesOf } from './palette.ts'
import { random } from './random.ts'
import { curtain, memphis } from './scenes/comedy.ts'
import { contacts } from './scenes/contacts.ts'
import { eclipse, horizon, orbits } from './scenes/cosmos.ts'
import { cutout } from './scenes/cutouts.ts'
import { arches, banner, columns } from './scenes/history.ts'
import { ranges, waves } from './scenes/land.ts'
import { eye, maze } from './scenes/mystery.ts'
import { object } from './scenes/objects.ts'
import { rings, swiss, tiles } from './scenes/print.ts'
import { mesa, road } from './scenes/roads.ts'
import { botanica, profiles } from './scenes/romance.ts'
import { neon, skyline } from './scenes/skylines.ts'
import { stairs } from './scenes/stairs.ts'
import { castle, deep, kites } from './scenes/storybook.ts'
import { doorway, windows } from './scenes/walls.ts'
import { branches, forest } from './scenes/woods.ts'
import type { Scene } from './stage.ts'
import { suits } from './suits.ts'

export const scenes = {
  arches,
  banner,
  botanica,
  branches,
  castle,
  columns,
  contacts,
  curtain,
  cutout,
  deep,
  doorway,
  eclipse,
  eye,
  forest,
  horizon,
  kites,
  maze,
  memphis,
  mesa,
  neon,
  object,
  orbits,
  profiles,
  ranges,
  rings,
  road,
  skyline,
  stairs,
  swiss,
  tiles,
  waves,
  windows,
} as const satisfies Record<string, Scene>

export type SceneName = keyof typeof scenes

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
export function lookOf(seed: string, genres: readonly number[]): SceneChoice {
  const rng = random(`look ${seed.split(':', 1)[0]}`)
  const knownGenres = genres.filter((id) => id in suits)
  const specific = knownGenres.filter((id) => id !== 18)
  const ranked = mostSpecificGenres.filter((id) => specific.includes(id))
  const genre = (rng.chance(0.7) ? ranked[0] : rng.pick(specific.length ? specific : [18])) ?? 18
  const scene = rng.pick(suits[genre]!)
  // A third of the titles use the palette of another of their genres, so that rows of one genre look less uniform.
  const paletteGenre = rng.chance(0.34) ? rng.pick([...specific, genre].sort((a, b) => a - b)) : genre
  return { genre, scene, palette: rng.pick(palettesOf(paletteGenre)) }
}
