/**
 * Paths of artwork. A title without a poster of its own gets one drawn by this server; its path carries a signature, so
 * that it says nothing about titles the caller was not shown, and changes when what is drawn changes (cached for ever).
 */
import type { Deps } from '../deps.ts'
import type { TitleRow } from '../queries/catalogue.ts'
import { sameText, sign } from './secret.ts'

export const ART_KINDS = ['poster', 'backdrop', 'still', 'profile'] as const
export type ArtKind = (typeof ART_KINDS)[number]

/** What a drawn picture shows. `key` is the title's or person's id; stills add season and episode. */
export interface DrawnArt {
  kind: ArtKind
  key: string
  lang: string
}

const version = (deps: Deps, { kind, key, lang }: DrawnArt, stamp: string | number) =>
  sign(deps.keys.media, 'art', kind, key, lang, stamp).slice(0, 16)

/** `/drawn/poster/12.en.Ab3….svg`, put after `/images/w342` by the browser. */
export function drawnPath(deps: Deps, art: DrawnArt, stamp: string | number): string {
  return `/drawn/${art.kind}/${art.key}.${art.lang}.${version(deps, art, stamp)}.svg`
}

/** The art that a path names, if this server made the path for what the art is now. */
export function readDrawnPath(kind: string, file: string): (DrawnArt & { signature: string }) | null {
  const found = /^([\w-]{1,60})\.([a-z]{2})\.([A-Za-z0-9_-]{16})\.svg$/.exec(file)
  const known = ART_KINDS.find((one) => one === kind)
  if (!found?.[1] || !found[2] || !found[3] || !known) return null
  return { kind: known, key: found[1], lang: found[2], signature: found[3] }
}

export function isGenuine(
  deps: Deps,
  art: DrawnArt & { signature: string },
  stamp: string | number,
): boolean {
  return sameText(art.signature, version(deps, art, stamp))
}

/** Poster and backdrop of a title: the source's own where an image host is set, else drawn. */
export function artworkOf(
  deps: Deps,
  row: TitleRow,
  lang: string,
): { poster_path: string; backdrop_path: string } {
  const own = deps.config.imageBaseUrl !== undefined
  const drawn = (kind: ArtKind) => drawnPath(deps, { kind, key: String(row.title_id), lang }, row.source_hash)
  return {
    poster_path: own && row.poster_path ? row.poster_path : drawn('poster'),
    backdrop_path: own && row.backdrop_path ? row.backdrop_path : drawn('backdrop'),
  }
}
