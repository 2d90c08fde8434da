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

/** Drama is on most titles and says least: another genre speaks before it, and a strong one before the first. */
const telling = [
  37, 10762, 16, 99, 27, 10749, 10765, 878, 10768, 36, 14, 9648, 35, 80, 28, 10759, 12, 53, 10751,
]

interface Look {
  readonly genre: number
  readonly scene: SceneName
  readonly palette: Palette
}

/**
 * The composition and colours of a title. The part of the seed before the first colon decides, so that the seasons
 * and episodes of one series (`tt0903747:2:5`) share a world.
 */
export function lookOf(seed: string, genres: readonly number[]): Look {
  const rnd = random(`look ${seed.split(':', 1)[0]}`)
  const known = genres.filter((id) => id in suits)
  const specific = known.filter((id) => id !== 18)
  const ranked = telling.filter((id) => specific.includes(id))
  const genre = (rnd.chance(0.7) ? ranked[0] : rnd.pick(specific.length ? specific : [18])) ?? 18
  const scene = rnd.pick(suits[genre]!)
  // A third of the titles borrow the colours of their other genres: fewer twins in a row of one genre.
  const other = rnd.chance(0.34) ? rnd.pick([...specific, genre].sort((a, b) => a - b)) : genre
  return { genre, scene, palette: rnd.pick(palettesOf(other)) }
}
