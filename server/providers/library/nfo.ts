/**
 * Reads ids, title and year from `.nfo` files: the XML of Kodi and Jellyfin, or the URL of an IMDb or TMDB page. The
 * file is untrusted, so it is read in one pass without an XML parser: there are no entity expansions and no document
 * types to exploit.
 */

import { decodeText } from '../../../src/lib/rules/text-encoding.ts'
import { MAX_RELEASE_YEAR, MIN_RELEASE_YEAR } from '../../../src/lib/rules/title-ranges.ts'
import type { TitleIds } from './title-name.ts'

export interface Nfo {
  ids: TitleIds
  title: string | null
  year: number | null
}
/** Maximum size of an NFO file. Larger files are not read. */
export const MAX_NFO_BYTES = 512 * 1024

/** Elements whose ids do not belong to the title, but to people, collections, ratings or streams. */
const SKIPPED_ELEMENTS = new Set([
  'actor',
  'director',
  'credits',
  'writer',
  'producer',
  'set',
  'ratings',
  'fileinfo',
])
const RELEVANT_ELEMENTS = new Set([
  'uniqueid',
  'imdbid',
  'imdb_id',
  'id',
  'tmdbid',
  'tvdbid',
  'title',
  'year',
])

interface NfoElement {
  name: string
  attributes: string
  text: string
}

/** Parses an NFO file; fields that it does not contain are null or absent. Never throws. */
export function parseNfo(bytes: Uint8Array): Nfo {
  const nfoText = decodeText(bytes)
  const elements = parseElements(nfoText)
  const ids: TitleIds = {}
  const imdbId = findImdbId(elements) ?? /imdb\.com\/(?:[a-z]{2}\/)?title\/(tt\d{7,10})/i.exec(nfoText)?.[1]
  const tmdbId =
    findNumericId(elements, 'tmdb') ??
    Number(/themoviedb\.org\/(?:movie|tv)\/(\d{1,9})/i.exec(nfoText)?.[1] ?? 0)
  if (imdbId) ids.imdb = imdbId.toLowerCase()
  if (tmdbId > 0) ids.tmdb = tmdbId
  const tvdbId = findNumericId(elements, 'tvdb')
  if (tvdbId !== null) ids.tvdb = tvdbId
  const year = Number(findElementText(elements, 'year')?.slice(0, 4))
  return {
    ids,
    title: findElementText(elements, 'title'),
    year: year >= MIN_RELEASE_YEAR && year <= MAX_RELEASE_YEAR ? year : null,
  }
}

function parseElements(nfoText: string): NfoElement[] {
  const elements: NfoElement[] = []
  let skippedElementName: string | null = null
  let isInComment = false
  for (const chunk of nfoText.split('<')) {
    if (isInComment || chunk.startsWith('!--')) {
      isInComment = !chunk.includes('-->')
      continue
    }
    const lastElement = elements.at(-1)
    if (chunk.startsWith('![CDATA[')) {
      if (lastElement && !skippedElementName) lastElement.text += chunk.slice(8).split(']]>')[0] ?? ''
      continue
    }
    const tagEndIndex = chunk.indexOf('>')
    const elementName = /^\/?([a-z_]{1,20})/i.exec(chunk)?.[1]?.toLowerCase() ?? ''
    if (tagEndIndex < 0 || elementName === '') continue
    if (chunk.startsWith('/'))
      skippedElementName = skippedElementName === elementName ? null : skippedElementName
    else if (!skippedElementName && SKIPPED_ELEMENTS.has(elementName) && chunk[tagEndIndex - 1] !== '/')
      skippedElementName = elementName
    else if (!skippedElementName && RELEVANT_ELEMENTS.has(elementName))
      elements.push({
        name: elementName,
        attributes: chunk.slice(elementName.length, tagEndIndex).slice(0, 200),
        text: chunk.slice(tagEndIndex + 1),
      })
  }
  return elements
}

function findImdbId(elements: NfoElement[]): string | null {
  const idCandidates = [
    findUniqueId(elements, 'imdb'),
    ...['imdbid', 'imdb_id', 'id'].map((name) => findElementText(elements, name)),
  ]
  return idCandidates.find((candidate) => candidate && /^tt\d{7,10}$/i.test(candidate)) ?? null
}

function findNumericId(elements: NfoElement[], idType: 'tmdb' | 'tvdb'): number | null {
  const idText = findUniqueId(elements, idType) ?? findElementText(elements, `${idType}id`)
  return idText && /^\d{1,9}$/.test(idText) && Number(idText) > 0 ? Number(idText) : null
}

function findUniqueId(elements: NfoElement[], idType: string): string | null {
  const typePattern = new RegExp(`\\btype ?= ?["']${idType}["']`, 'i')
  return (
    elements
      .find((element) => element.name === 'uniqueid' && typePattern.test(element.attributes))
      ?.text.trim() ?? null
  )
}

function findElementText(elements: NfoElement[], name: string): string | null {
  const elementText = elements
    .find((element) => element.name === name)
    ?.text.slice(0, 300)
    .trim()
  return elementText
    ? elementText
        .replace(/&apos;|&#39;/g, "'")
        .replace(/&quot;/g, '"')
        .replace(/&amp;/g, '&')
    : null
}
