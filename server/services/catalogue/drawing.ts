import { drawImage } from '../../images/draw-image.ts'
import {
  isPersonVisible,
  isTitleVisible,
  selectPersonArtwork,
  selectTitleArtwork,
} from '../../queries/artwork.ts'
import type { Deps } from '../deps.ts'
import { hasValidArtSignature, parseDrawnArtPath } from './artwork.ts'

/** True when the title or person of an image is unpublished or blocked, so that its artwork is not public. */
export async function isArtworkHidden(
  deps: Deps,
  { kind, file }: Pick<DrawingRequest, 'kind' | 'file'>,
): Promise<boolean> {
  const art = parseDrawnArtPath(kind, file)
  const [id = '0'] = art?.key.split('-') ?? []
  const { reader } = deps.database
  return !(art?.kind === 'profile'
    ? await isPersonVisible(reader, Number(id))
    : await isTitleVisible(reader, Number(id)))
}

interface DrawingRequest {
  kind: string
  file: string
  width: number
}

/** Returns the SVG of a drawn image; null when the path is malformed, its signature is wrong, or the title or person has changed since. */
export async function drawArtwork(deps: Deps, { kind, file, width }: DrawingRequest): Promise<string | null> {
  const art = parseDrawnArtPath(kind, file)
  if (!art) return null
  const { reader } = deps.database
  const [id = '0', season, episode] = art.key.split('-')
  if (art.kind === 'profile') {
    const person = await selectPersonArtwork(reader, Number(id), art.lang)
    if (!person || !hasValidArtSignature(deps, art, Number(id))) return null
    return drawImage({
      kind: 'profile',
      width,
      seed: `person:${id}`,
      title: person.name,
      lang: art.lang,
      genres: [],
      type: 'movie',
    })
  }
  const title = await selectTitleArtwork(reader, Number(id), art.lang)
  if (!title || !hasValidArtSignature(deps, art, art.kind === 'still' ? Number(id) : title.source_hash))
    return null
  const seed = title.imdb_id ?? `title:${id}`
  return drawImage({
    kind: art.kind,
    width,
    seed: season ? `${seed}:${season}:${episode}` : seed,
    title: title.title,
    lang: art.lang,
    originalTitle: title.original_title,
    ...(title.year !== null && { year: title.year }),
    genres: title.genres,
    type: title.type === 'tv' ? 'tv' : 'movie',
  })
}
