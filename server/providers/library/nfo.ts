/**
 * Reads ids from `.nfo` files: the XML of Kodi and Jellyfin, or the URL of an IMDb or TMDB page. The file is untrusted, so it
 * is read in one pass without an XML parser: there are no entity expansions and no document types to exploit.
 */
import { decodeText } from '../../../src/lib/rules/text-encoding.ts'
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
const READ_ELEMENTS = new Set(['uniqueid', 'imdbid', 'imdb_id', 'id', 'tmdbid', 'title', 'year'])

interface NfoElement {
  name: string
  attributes: string
  text: string
}

/** Parses an NFO file; fields that it does not contain are null or absent. Never throws. */
export function parseNfo(bytes: Uint8Array): Nfo {
  const text = decodeText(bytes)
  const elements = parseElements(text)
  const ids: TitleIds = {}
  const imdb = findImdbId(elements) ?? /imdb\.com\/(?:[a-z]{2}\/)?title\/(tt\d{7,10})/i.exec(text)?.[1]
  const tmdb =
    findTmdbId(elements) ?? Number(/themoviedb\.org\/(?:movie|tv)\/(\d{1,9})/i.exec(text)?.[1] ?? 0)
  if (imdb) ids.imdb = imdb.toLowerCase()
  if (tmdb > 0) ids.tmdb = tmdb
  const year = Number(findText(elements, 'year')?.slice(0, 4))
  return { ids, title: findText(elements, 'title'), year: year >= 1870 && year <= 2200 ? year : null }
}

function parseElements(text: string): NfoElement[] {
  const elements: NfoElement[] = []
  let skippedParent: string | null = null
  let isInComment = false
  for (const chunk of text.split('<')) {
    if (isInComment || chunk.startsWith('!--')) {
      isInComment = !chunk.includes('-->')
      continue
    }
    const lastElement = elements.at(-1)
    if (chunk.startsWith('![CDATA[')) {
      if (lastElement && !skippedParent) lastElement.text += chunk.slice(8).split(']]>')[0] ?? ''
      continue
    }
    const tagEnd = chunk.indexOf('>')
    const name = /^\/?([a-z_]{1,20})/i.exec(chunk)?.[1]?.toLowerCase() ?? ''
    if (tagEnd < 0 || name === '') continue
    if (chunk.startsWith('/')) skippedParent = skippedParent === name ? null : skippedParent
    else if (!skippedParent && SKIPPED_ELEMENTS.has(name) && chunk[tagEnd - 1] !== '/') skippedParent = name
    else if (!skippedParent && READ_ELEMENTS.has(name))
      elements.push({
        name,
        attributes: chunk.slice(name.length, tagEnd).slice(0, 200),
        text: chunk.slice(tagEnd + 1),
      })
  }
  return elements
}

function findImdbId(elements: NfoElement[]): string | null {
  const candidates = [
    findUniqueId(elements, 'imdb'),
    ...['imdbid', 'imdb_id', 'id'].map((name) => findText(elements, name)),
  ]
  return candidates.find((candidate) => candidate && /^tt\d{7,10}$/i.test(candidate)) ?? null
}

function findTmdbId(elements: NfoElement[]): number | null {
  const text = findUniqueId(elements, 'tmdb') ?? findText(elements, 'tmdbid')
  return text && /^\d{1,9}$/.test(text) && Number(text) > 0 ? Number(text) : null
}

function findUniqueId(elements: NfoElement[], type: string): string | null {
  const typePattern = new RegExp(`\\btype ?= ?["']${type}["']`, 'i')
  return (
    elements
      .find((element) => element.name === 'uniqueid' && typePattern.test(element.attributes))
      ?.text.trim() ?? null
  )
}

function findText(elements: NfoElement[], name: string): string | null {
  const text = elements
    .find((element) => element.name === name)
    ?.text.slice(0, 300)
    .trim()
  return text
    ? text
        .replace(/&apos;|&#39;/g, "'")
        .replace(/&quot;/g, '"')
        .replace(/&amp;/g, '&')
    : null
}
