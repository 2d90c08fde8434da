/**
 * Paths of artwork. This server draws a poster for a title without one. The path carries a signature, so that nobody can
 * probe for titles that they may not see. The signature changes with the content, so responses are immutable and cacheable.
 */

import type { TitleRow } from '../../queries/title.ts'
import { hmacSha256, timingSafeEqualText } from '../auth/secret.ts'
import type { Deps } from '../deps.ts'

export const ART_KINDS = ['poster', 'backdrop', 'still', 'profile'] as const
export type ArtKind = (typeof ART_KINDS)[number]

/** Identifies a drawn image. `key` is the id of the title or person; for stills it is `id-season-episode`. */
export interface DrawnArt {
  kind: ArtKind
  key: string
  lang: string
}

const signArt = (deps: Deps, { kind, key, lang }: DrawnArt, contentVersion: string | number) =>
  hmacSha256(deps.keys.media, 'art', kind, key, lang, contentVersion).slice(0, 16)

/** Returns `/drawn/poster/12.en.Ab3….svg`; the browser prefixes it with `/images/w342`. `contentVersion` changes when the content of the image does. */
export function buildDrawnArtPath(deps: Deps, art: DrawnArt, contentVersion: string | number): string {
  return `/drawn/${art.kind}/${art.key}.${art.lang}.${signArt(deps, art, contentVersion)}.svg`
}

/** Returns the image that a path names; null when the path is malformed. The signature is not checked here. */
export function parseDrawnArtPath(kind: string, file: string): (DrawnArt & { signature: string }) | null {
  const match = /^([\w-]{1,60})\.([a-z]{2})\.([A-Za-z0-9_-]{16})\.svg$/.exec(file)
  const knownKind = ART_KINDS.find((artKind) => artKind === kind)
  if (!match?.[1] || !match[2] || !match[3] || !knownKind) return null
  return { kind: knownKind, key: match[1], lang: match[2], signature: match[3] }
}

export function hasValidArtSignature(
  deps: Deps,
  art: DrawnArt & { signature: string },
  contentVersion: string | number,
): boolean {
  return timingSafeEqualText(art.signature, signArt(deps, art, contentVersion))
}

/** Returns the paths of poster and backdrop of a title: those of the metadata source when IMAGE_BASE_URL is set, otherwise those of drawn images. */
export function buildArtworkPaths(
  deps: Deps,
  row: TitleRow,
  lang: string,
): { poster_path: string; backdrop_path: string } {
  const hasImageHost = deps.config.imageBaseUrl !== undefined
  const createDrawnPath = (kind: ArtKind) =>
    buildDrawnArtPath(deps, { kind, key: String(row.title_id), lang }, row.source_hash)
  return {
    poster_path: hasImageHost && row.poster_path ? row.poster_path : createDrawnPath('poster'),
    backdrop_path: hasImageHost && row.backdrop_path ? row.backdrop_path : createDrawnPath('backdrop'),
  }
}
