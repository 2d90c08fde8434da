import { drawImage } from '../../images/draw-image.ts'
import {
  isPersonVisible,
  isTitleVisible,
  selectPersonArtwork,
  selectTitleArtwork,
} from '../../queries/artwork.ts'
import type { Deps } from '../deps.ts'
import { type DrawnArt, getTitleArtVersion, hasValidArtSignature, parseDrawnArtPath } from './artwork.ts'

/** True when the artwork is not public, because its title or person is unpublished or blocked. */
export async function isArtworkHidden(deps: Deps, { kind, key }: DrawnArt): Promise<boolean> {
  const [id = '0'] = key.split('-')
  const { reader } = deps.database
  return !(kind === 'profile'
    ? await isPersonVisible(reader, Number(id))
    : await isTitleVisible(reader, Number(id)))
}

interface Drawing {
  svg: string
  /** Changes with the content of the image. */
  contentVersion: string
}

/**
 * Returns the SVG of a drawn image. Returns null when the path is malformed, its signature is wrong, or the
 * title or person has changed since the path was built.
 */
export async function drawSignedArtwork(
  deps: Deps,
  { kind, file: fileName, width }: { kind: string; file: string; width: number },
): Promise<{ svg: string; art: DrawnArt } | null> {
  const art = parseDrawnArtPath(kind, fileName)
  const drawing = art && (await drawArtwork(deps, art, width))
  if (!drawing || !hasValidArtSignature(deps, art, drawing.contentVersion)) return null
  return { svg: drawing.svg, art }
}

/**
 * Draws the image of a title, an episode or a person. Returns null if the title, episode or person does not
 * exist. Does not check a signature.
 */
export async function drawArtwork(deps: Deps, art: DrawnArt, widthPixels: number): Promise<Drawing | null> {
  const { reader } = deps.database
  const [id = '0', season, episode] = art.key.split('-')
  if (art.kind === 'profile') {
    const person = await selectPersonArtwork(reader, Number(id), art.lang)
    if (!person) return null
    const svg = drawImage({
      kind: 'profile',
      width: widthPixels,
      seed: `person:${id}`,
      title: person.name,
      lang: art.lang,
      genres: [],
      type: 'movie',
    })
    return { svg, contentVersion: person.name }
  }
  const title = await selectTitleArtwork(reader, Number(id), art.lang)
  if (!title) return null
  const seed = title.imdb_id ?? `title:${id}`
  const svg = drawImage({
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
  return { svg, contentVersion: getTitleArtVersion(title) }
}
