import type { Db } from '../../db/database.ts'
import { drawImage } from '../../images/draw-image.ts'
import {
  isPersonVisible,
  isTitleVisible,
  selectPersonArtwork,
  selectTitleArtVersion,
  selectTitleArtwork,
} from '../../queries/artwork.ts'
import type { Deps } from '../deps.ts'
import {
  type DrawnArt,
  getArtOwnerId,
  getTitleArtVersion,
  hasValidArtSignature,
  parseDrawnArtPath,
} from './artwork.ts'

/**
 * Returns the databases in which artwork is looked up. A path may be newer than the data of a replica, because cached
 * replies with paths are built from the primary database.
 */
const listDatabasesToTry = ({ database: { kind, reader, primary } }: Deps): Db[] =>
  kind === 'sqlite' ? [reader] : [reader, primary]

/** True when the artwork is not public, because its title or person is unpublished or blocked. */
export async function isArtworkHidden(deps: Deps, art: DrawnArt): Promise<boolean> {
  const isVisible = art.kind === 'profile' ? isPersonVisible : isTitleVisible
  for (const db of listDatabasesToTry(deps)) if (await isVisible(db, getArtOwnerId(art))) return false
  return true
}

/**
 * Returns the SVG of a drawn image. Returns null when the path is malformed, its signature is wrong, or the
 * title or person has changed since the path was built. The signature is checked before anything is drawn, because
 * anybody can request any path.
 */
export async function drawSignedArtwork(
  deps: Deps,
  { kind, file: fileName, width }: { kind: string; file: string; width: number },
): Promise<{ svg: string; art: DrawnArt } | null> {
  const art = parseDrawnArtPath(kind, fileName)
  if (!art) return null
  for (const db of listDatabasesToTry(deps)) {
    const contentVersion = await loadContentVersion(db, art)
    if (contentVersion === undefined || !hasValidArtSignature(deps, art, contentVersion)) continue
    const svg = await drawArtworkFromDatabase(db, art, width)
    return svg === null ? null : { svg, art }
  }
  return null
}

/** Returns the value that changes with the content of an image; undefined when its title or person does not exist. */
async function loadContentVersion(db: Db, art: DrawnArt): Promise<string | undefined> {
  const ownerId = getArtOwnerId(art)
  if (art.kind === 'profile') return (await selectPersonArtwork(db, ownerId, art.lang))?.name
  const title = await selectTitleArtVersion(db, ownerId)
  return title && getTitleArtVersion(title)
}

/**
 * Returns the SVG of the image of a title, an episode or a person. Returns null if the title or person does not exist.
 * Does not check a signature.
 */
export async function drawArtwork(deps: Deps, art: DrawnArt, widthPixels: number): Promise<string | null> {
  for (const db of listDatabasesToTry(deps)) {
    const svg = await drawArtworkFromDatabase(db, art, widthPixels)
    if (svg !== null) return svg
  }
  return null
}

async function drawArtworkFromDatabase(db: Db, art: DrawnArt, widthPixels: number): Promise<string | null> {
  const [id, season, episode] = art.key.split('-')
  if (art.kind === 'profile') {
    const person = await selectPersonArtwork(db, getArtOwnerId(art), art.lang)
    if (!person) return null
    return drawImage({
      kind: 'profile',
      width: widthPixels,
      seed: `person:${id}`,
      title: person.name,
      lang: art.lang,
      genres: [],
      type: 'movie',
    })
  }
  const title = await selectTitleArtwork(db, getArtOwnerId(art), art.lang)
  if (!title) return null
  const seed = title.imdb_id ?? `title:${id}`
  return drawImage({
    kind: art.kind,
    width: widthPixels,
    seed: season ? `${seed}:${season}:${episode}` : seed,
    title: title.title,
    lang: art.lang,
    originalTitle: title.original_title,
    ...(title.year !== null && { year: title.year }),
    genres: title.genres,
    type: title.type === 'tv' ? 'tv' : 'movie',
  })
}
