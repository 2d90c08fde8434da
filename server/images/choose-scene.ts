import { findPalettes, type Palette } from './palette.ts'
import { createRandomGenerator } from './random.ts'
import { scenesByGenre } from './scenes-by-genre.ts'
import type { SceneName } from './scenes-by-name.ts'

const DRAMA_GENRE_ID = 18
/** Ids of genres, the most specific genre first. Drama is left out, because most titles have this genre. */
const genresBySpecificity = [
  37, 10762, 16, 99, 27, 10749, 10765, 878, 10768, 36, 14, 9648, 35, 80, 28, 10759, 12, 53, 10751,
]

interface SceneChoice {
  readonly genre: number
  readonly scene: SceneName
  readonly palette: Palette
}

/**
 * Number that is hashed together with the first word of a title to choose its scene. It was found by trial: with this
 * number, titles that are one or two places apart in the popular lists of the demo catalogue have different scenes.
 */
const SCENE_SALT = 264

export interface TitleAndYear {
  /** The original title, which is the same for every viewer. */
  name: string
  year: number
}

/**
 * Returns the first word of a title after any article, such as `toy` for `Toy Story 2`. The movies of a franchise
 * usually share this word. Returns the title itself if it has no other words than articles.
 */
function getFranchiseKey(title: string): string {
  const nameWords = title
    .normalize('NFD')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}'’-]+/u)
    .filter(Boolean)
  return nameWords.find((word) => !/^(the|an?|les?|la|el|los|las|das|der|die|il|un|une)$/.test(word)) ?? title
}

/**
 * Chooses the scene and palette of a title. Uses only the part of the seed before the first colon, so that the seasons
 * and episodes of a series (`tt0903747:2:5`) share one scene and one palette. With `titleAndYear`, the scene depends on
 * the first word of the name (`getFranchiseKey`) and the year instead of the seed. The movies of a franchise then
 * usually have different scenes if they are released within a few years of each other.
 */
export function chooseScene(
  seed: string,
  genres: readonly number[],
  titleAndYear?: TitleAndYear,
  salt = SCENE_SALT,
): SceneChoice {
  const random = createRandomGenerator(`look ${seed.split(':', 1)[0]}`)
  const sceneRandom = titleAndYear
    ? createRandomGenerator(`series ${salt} ${getFranchiseKey(titleAndYear.name)}`)
    : random
  const genresWithScene = genres.filter((id) => id in scenesByGenre)
  const genresExceptDrama = genresWithScene.filter((id) => id !== DRAMA_GENRE_ID)
  const rankedGenres = genresBySpecificity.filter((id) => genresExceptDrama.includes(id))
  const genre =
    (sceneRandom.pickBoolean(0.7)
      ? rankedGenres[0]
      : sceneRandom.pick(genresExceptDrama.length ? genresExceptDrama : [DRAMA_GENRE_ID])) ?? DRAMA_GENRE_ID
  const scenes = titleAndYear ? [...new Set(scenesByGenre[genre])] : scenesByGenre[genre]!
  const firstSceneIndex = sceneRandom.pickInteger(0, scenes.length - 1)
  const scene = scenes[(firstSceneIndex + (titleAndYear?.year ?? 0)) % scenes.length]!
  // About a third of the titles take the palette from a random genre of the title, so that titles of one genre differ
  // more.
  const paletteGenre = random.pickBoolean(0.34)
    ? random.pick([...genresExceptDrama, genre].sort((a, b) => a - b))
    : genre
  return { genre, scene, palette: random.pick(findPalettes(paletteGenre)) }
}
