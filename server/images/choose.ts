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

/** Which compositions suit a genre (ids of the catalogue). */
const suits: Readonly<Record<number, readonly SceneName[]>> = {
  878: [
    'orbits',
    'horizon',
    'neon',
    'eclipse',
    'doorway',
    'swiss',
    'rings',
    'stairs',
    'mesa',
    'maze',
    'deep',
  ],
  10765: [
    'orbits',
    'horizon',
    'eclipse',
    'castle',
    'neon',
    'forest',
    'ranges',
    'maze',
    'arches',
    'mesa',
    'deep',
  ],
  28: [
    'swiss',
    'road',
    'neon',
    'cutout',
    'skyline',
    'banner',
    'rings',
    'mesa',
    'windows',
    'stairs',
    'ranges',
    'waves',
  ],
  10759: [
    'road',
    'swiss',
    'ranges',
    'neon',
    'banner',
    'skyline',
    'cutout',
    'mesa',
    'waves',
    'arches',
    'deep',
  ],
  12: [
    'ranges',
    'waves',
    'arches',
    'mesa',
    'deep',
    'road',
    'castle',
    'columns',
    'orbits',
    'forest',
    'object',
  ],
  53: [
    'doorway',
    'cutout',
    'rings',
    'swiss',
    'stairs',
    'windows',
    'road',
    'maze',
    'skyline',
    'eye',
    'object',
    'branches',
  ],
  9648: [
    'maze',
    'stairs',
    'doorway',
    'forest',
    'windows',
    'object',
    'eye',
    'rings',
    'cutout',
    'skyline',
    'branches',
  ],
  35: [
    'curtain',
    'memphis',
    'object',
    'tiles',
    'memphis',
    'road',
    'kites',
    'swiss',
    'botanica',
    'skyline',
    'profiles',
  ],
  80: [
    'skyline',
    'cutout',
    'windows',
    'doorway',
    'rings',
    'object',
    'stairs',
    'swiss',
    'neon',
    'road',
    'maze',
  ],
  14: [
    'castle',
    'ranges',
    'arches',
    'eclipse',
    'forest',
    'waves',
    'deep',
    'orbits',
    'mesa',
    'doorway',
    'botanica',
  ],
  27: [
    'eye',
    'branches',
    'forest',
    'doorway',
    'rings',
    'cutout',
    'windows',
    'stairs',
    'maze',
    'eclipse',
    'object',
  ],
  18: [
    'ranges',
    'windows',
    'profiles',
    'object',
    'waves',
    'tiles',
    'road',
    'rings',
    'stairs',
    'botanica',
    'skyline',
    'mesa',
    'contacts',
    'arches',
  ],
  10749: [
    'botanica',
    'profiles',
    'object',
    'botanica',
    'waves',
    'windows',
    'skyline',
    'tiles',
    'arches',
    'kites',
    'forest',
  ],
  16: [
    'kites',
    'deep',
    'castle',
    'tiles',
    'kites',
    'waves',
    'horizon',
    'forest',
    'object',
    'arches',
    'orbits',
  ],
  10762: ['kites', 'deep', 'castle', 'tiles', 'memphis', 'waves', 'forest', 'object', 'orbits', 'horizon'],
  10751: ['kites', 'deep', 'object', 'waves', 'castle', 'tiles', 'forest', 'horizon', 'ranges', 'arches'],
  36: ['columns', 'arches', 'banner', 'profiles', 'ranges', 'waves', 'castle', 'mesa', 'contacts', 'windows'],
  10768: ['banner', 'columns', 'cutout', 'skyline', 'ranges', 'road', 'rings', 'windows', 'horizon'],
  99: [
    'contacts',
    'tiles',
    'rings',
    'swiss',
    'ranges',
    'waves',
    'skyline',
    'forest',
    'deep',
    'orbits',
    'mesa',
  ],
  37: ['mesa', 'road', 'mesa', 'ranges', 'horizon', 'banner', 'object', 'skyline'],
}

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
