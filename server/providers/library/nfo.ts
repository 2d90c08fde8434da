/**
 * Ids in `.nfo` files: Kodi's and Jellyfin's XML, or a plain page address. Read in one pass without an XML parser:
 * no entities, no document types, nothing to be tricked into.
 */
import { decodeText } from './text-encoding.ts'
import type { TitleIds } from './title-name.ts'

export interface Nfo {
  ids: TitleIds
  title: string | null
  year: number | null
}
/** Larger ones are no notes about a title. */
export const NFO_MOST_BYTES = 512 * 1024

/** Parts that hold ids of others: people, collections, ratings, streams. */
const OTHERS = new Set(['actor', 'director', 'credits', 'writer', 'producer', 'set', 'ratings', 'fileinfo'])
const READ = new Set(['uniqueid', 'imdbid', 'imdb_id', 'id', 'tmdbid', 'title', 'year'])

interface Element {
  name: string
  attributes: string
  text: string
}

export function readNfo(bytes: Uint8Array): Nfo {
  const text = decodeText(bytes)
  const elements = elementsOf(text)
  const ids: TitleIds = {}
  const imdb = imdbOf(elements) ?? /imdb\.com\/(?:[a-z]{2}\/)?title\/(tt\d{7,10})/i.exec(text)?.[1]
  const tmdb = tmdbOf(elements) ?? Number(/themoviedb\.org\/(?:movie|tv)\/(\d{1,9})/i.exec(text)?.[1] ?? 0)
  if (imdb) ids.imdb = imdb.toLowerCase()
  if (tmdb > 0) ids.tmdb = tmdb
  const year = Number(first(elements, 'year')?.slice(0, 4))
  return { ids, title: first(elements, 'title'), year: year >= 1870 && year <= 2200 ? year : null }
}

function elementsOf(text: string): Element[] {
  const found: Element[] = []
  let inside: string | null = null
  let comment = false
  for (const piece of text.split('<')) {
    if (comment || piece.startsWith('!--')) {
      comment = !piece.includes('-->')
      continue
    }
    const last = found.at(-1)
    if (piece.startsWith('![CDATA[')) {
      if (last && !inside) last.text += piece.slice(8).split(']]>')[0] ?? ''
      continue
    }
    const end = piece.indexOf('>')
    const name = /^\/?([a-z_]{1,20})/i.exec(piece)?.[1]?.toLowerCase() ?? ''
    if (end < 0 || name === '') continue
    if (piece.startsWith('/')) inside = inside === name ? null : inside
    else if (!inside && OTHERS.has(name) && piece[end - 1] !== '/') inside = name
    else if (!inside && READ.has(name))
      found.push({
        name,
        attributes: piece.slice(name.length, end).slice(0, 200),
        text: piece.slice(end + 1),
      })
  }
  return found
}

function imdbOf(elements: Element[]): string | null {
  const candidates = [
    unique(elements, 'imdb'),
    ...['imdbid', 'imdb_id', 'id'].map((name) => first(elements, name)),
  ]
  return candidates.find((one) => one && /^tt\d{7,10}$/i.test(one)) ?? null
}

function tmdbOf(elements: Element[]): number | null {
  const found = unique(elements, 'tmdb') ?? first(elements, 'tmdbid')
  return found && /^\d{1,9}$/.test(found) && Number(found) > 0 ? Number(found) : null
}

function unique(elements: Element[], type: string): string | null {
  const wanted = new RegExp(`\\btype ?= ?["']${type}["']`, 'i')
  return elements.find((one) => one.name === 'uniqueid' && wanted.test(one.attributes))?.text.trim() ?? null
}

function first(elements: Element[], name: string): string | null {
  const text = elements
    .find((one) => one.name === name)
    ?.text.slice(0, 300)
    .trim()
  return text
    ? text
        .replace(/&apos;|&#39;/g, "'")
        .replace(/&quot;/g, '"')
        .replace(/&amp;/g, '&')
    : null
}
