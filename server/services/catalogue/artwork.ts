/**
 * Paths of artwork: images of the metadata source, and drawn images. A path of this server contains a signature, so
 * that clients cannot probe for titles that they may not see. The path changes with the content of the image, so
 * responses are immutable and can be cached.
 */

import { FALLBACK_LOCALE } from '../../../src/lib/i18n/locales.ts'
import { ORIGINAL_LANGUAGE } from '../../../src/lib/rules/title-options.ts'
import { isImagePath } from '../../providers/artwork/artwork-source.ts'
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

/** Increase this number when the drawings change, so that browsers and CDNs fetch the new drawings. */
const DRAWING_VERSION = 2

/** Maximum number of cached signatures; each takes about 200 bytes. */
const MAX_CACHED_SIGNATURES = 20_000
const signatureCachesByKeys = new WeakMap<Deps['keys'], Map<string, string>>()

/**
 * Returns the signature of the parts. Signatures are cached, because each card that is sent contains two
 * signatures.
 */
function signParts({ keys }: Deps, ...parts: (string | number)[]): string {
  const signaturesByText = signatureCachesByKeys.get(keys) ?? new Map<string, string>()
  signatureCachesByKeys.set(keys, signaturesByText)
  const signedText = JSON.stringify(parts)
  const cachedSignature = signaturesByText.get(signedText)
  if (cachedSignature) return cachedSignature
  if (signaturesByText.size >= MAX_CACHED_SIGNATURES) signaturesByText.clear()
  const signature = hmacSha256(keys.media, ...parts).slice(0, 16)
  signaturesByText.set(signedText, signature)
  return signature
}

const signArt = (deps: Deps, { kind, key, lang }: DrawnArt, contentVersion: string) =>
  signParts(deps, 'art', DRAWING_VERSION, kind, key, lang, contentVersion)

/**
 * Returns `/drawn/poster/12.en.Ab3….svg`. The browser prefixes this path with `/images/w342`.
 * `contentVersion` changes with the content of the image.
 */
export function buildDrawnArtPath(deps: Deps, art: DrawnArt, contentVersion: string): string {
  return `/drawn/${art.kind}/${art.key}.${art.lang}.${signArt(deps, art, contentVersion)}.svg`
}

/**
 * Returns the image that a path names; null when the path is malformed. The id has at most 15 digits, so that it is
 * exact as a number and every database accepts it. The signature is not checked here.
 */
export function parseDrawnArtPath(kind: string, fileName: string): (DrawnArt & { signature: string }) | null {
  const match = /^([1-9]\d{0,14}(?:-\d{1,6}-\d{1,6})?)\.([a-z]{2})\.([A-Za-z0-9_-]{16})\.svg$/.exec(fileName)
  const knownKind = ART_KINDS.find((artKind) => artKind === kind)
  if (!match?.[1] || !match[2] || !match[3] || !knownKind) return null
  return { kind: knownKind, key: match[1], lang: match[2], signature: match[3] }
}

/** Returns the id of the title or person whose image is drawn. */
export const getArtOwnerId = ({ key }: DrawnArt): number => Number(key.split('-')[0])

export function hasValidArtSignature(
  deps: Deps,
  art: DrawnArt & { signature: string },
  contentVersion: string,
): boolean {
  return timingSafeEqualText(art.signature, signArt(deps, art, contentVersion))
}

/** An image of the metadata source, with the drawn image that replaces it when it cannot be loaded. */
export interface RemoteArt extends DrawnArt {
  /** Path at the image host, such as `/kqjL17yufvn9OVLyXYpvtyrFfak.jpg`. */
  imagePath: string
}

const signRemoteArt = (deps: Deps, { kind, key, lang, imagePath }: RemoteArt) =>
  signParts(deps, 'remote-art', kind, key, lang, imagePath)

/**
 * Returns `/art/poster/12.en.Ab3…/kqjL….jpg`. The signature binds the image to the title, so that clients
 * cannot request other images.
 */
export function buildRemoteArtPath(deps: Deps, art: RemoteArt): string {
  return `/art/${art.kind}/${art.key}.${art.lang}.${signRemoteArt(deps, art)}${art.imagePath}`
}

/** Returns the image that a path names; null when the path is malformed or its signature is wrong. */
export function verifyRemoteArtPath(
  deps: Deps,
  kind: string,
  signedArtName: string,
  fileName: string,
): RemoteArt | null {
  const drawnArt = parseDrawnArtPath(kind, `${signedArtName}.svg`)
  if (!drawnArt) return null
  const { signature, ...art } = { ...drawnArt, imagePath: `/${fileName}` }
  return timingSafeEqualText(signature, signRemoteArt(deps, art)) ? art : null
}

/**
 * Returns the path of an image of a title or person. `imagePath` is the path of the image at the metadata
 * source. With IMAGE_BASE_URL, browsers load the image from that URL. With the artwork source `tmdb`, this
 * server fetches the image. Otherwise, and without an `imagePath`, the image is drawn.
 */
export function buildArtPath(
  deps: Deps,
  requestedArt: DrawnArt,
  imagePath: string | null,
  contentVersion: string,
): string {
  const { imageBaseUrl, artworkSource } = deps.config
  // A path can contain only a language code of two letters. FALLBACK_LOCALE replaces `original` and codes of three
  // letters.
  const art = {
    ...requestedArt,
    lang: /^[a-z]{2}$/.test(requestedArt.lang) ? requestedArt.lang : FALLBACK_LOCALE,
  }
  if (imagePath && imageBaseUrl !== undefined) return imagePath
  if (imagePath && artworkSource === 'tmdb' && isImagePath(imagePath))
    return buildRemoteArtPath(deps, { ...art, imagePath })
  return buildDrawnArtPath(deps, art, contentVersion)
}

/**
 * Returns the content version of the images of a title. An import changes `source_hash`, and an edit of an
 * administrator changes `updated_at`.
 */
export const getTitleArtVersion = ({
  source_hash,
  updated_at,
}: Pick<TitleRow, 'source_hash' | 'updated_at'>) => `${source_hash} ${updated_at}`

/** Returns the paths of poster and backdrop of a title. */
export function buildArtworkPaths(
  deps: Deps,
  row: TitleRow,
  lang: string,
): { poster_path: string; backdrop_path: string } {
  const artLanguage = lang === ORIGINAL_LANGUAGE ? (row.language ?? lang) : lang
  const buildPath = (kind: ArtKind, imagePath: string | null) =>
    buildArtPath(
      deps,
      { kind, key: String(row.title_id), lang: artLanguage },
      imagePath,
      getTitleArtVersion(row),
    )
  return {
    poster_path: buildPath('poster', row.poster_path),
    backdrop_path: buildPath('backdrop', row.backdrop_path),
  }
}

/**
 * Returns the path of the portrait of a person. `name` is the name in the language `lang`. The path changes with the
 * name, because the drawing shows the initial of the name.
 */
export function buildPortraitPath(
  deps: Deps,
  { person_id: id, profile_path: imagePath }: { person_id: number; profile_path: string | null },
  { name, lang }: { name: string; lang: string },
): string {
  return buildArtPath(deps, { kind: 'profile', key: String(id), lang }, imagePath, name)
}
