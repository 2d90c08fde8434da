/** Taking a Netflix title apart: `Show: Season 1: Episode`, in any language, where the same signs occur inside of titles. */
import type { Reading } from './row.ts'
import { labelOf, numberAfter, withoutEpisodeSuffix } from './season-words.ts'

interface Piece {
  text: string
  /** Where it stands in the title. */
  from: number
  to: number
}

/** The ways to read a title, the likeliest first. Certain readings stand alone. Empty for a title of separators only. */
export function readingsOf(given: string): Reading[] {
  const { title, episode } = withoutEpisodeSuffix(given.trim())
  const pieces = piecesOf(title)
  if (pieces.length === 0) return []
  const numbered = episode !== undefined
  const marked = seasonReading(title, pieces)
  const readings = marked ? [...marked] : []
  if (!readings.some((one) => one.type)) {
    if (!numbered) readings.unshift({ title: clean(title) })
    readings.push(...unmarked(title, pieces))
  }
  return readings.map((one) => (numbered ? { ...one, type: 'tv', episode } : one))
}

function piecesOf(title: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const match of title.matchAll(/\s*[:：](?:\s+|$)/gu)) {
    pieces.push({ text: title.slice(from, match.index), from, to: match.index })
    from = match.index + match[0].length
  }
  pieces.push({ text: title.slice(from), from, to: title.length })
  return pieces.filter((one) => one.text.trim() !== '')
}

/** By the first season word, or a part that something follows. Null when nothing marks a season. */
function seasonReading(title: string, pieces: readonly Piece[]): Reading[] | null {
  for (const wanted of ['season', 'own', 'part'] as const) {
    for (const [i, piece] of pieces.entries()) {
      if (i === 0) continue
      const show = clean(title.slice(0, pieces[i - 1]!.to))
      const label = labelOf(piece.text)
      const own = numberAfter(show, piece.text)
      const rest = clean(title.slice(pieces[i + 1]?.from ?? title.length))
      const kind = own === null ? label?.kind : 'own'
      if (kind !== wanted) continue
      const number = own ?? label?.number
      const reading: Reading = { title: show, type: 'tv', seasonName: clean(piece.text) }
      if (number !== undefined) reading.season = number
      if (rest) Object.assign(reading, episodeOf(rest))
      if (wanted === 'season') return [reading]
      if (rest) return [reading]
      return [{ title: clean(title) }, reading].slice(wanted === 'own' ? 1 : 0)
    }
  }
  return null
}

/** `Show: Episode`: from the shortest prefix on, since episodes have colons oftener than series. */
function unmarked(title: string, pieces: readonly Piece[]): Reading[] {
  return pieces.slice(1).map((piece, i) => ({
    title: clean(title.slice(0, pieces[i]!.to)),
    type: 'tv',
    ...episodeOf(clean(title.slice(piece.from))),
  }))
}

function episodeOf(rest: string): Pick<Reading, 'episode' | 'episodeTitle'> {
  const label = labelOf(rest)
  return label && label.kind !== 'season' && label.number !== undefined
    ? { episode: label.number, episodeTitle: rest }
    : { episodeTitle: rest }
}

const clean = (text: string) => text.replace(/\s+/gu, ' ').replace(/^[\s:：]+|[\s:：]+$/gu, '')

/** What a service shows beside titles: no viewing, also where no column says so. */
export function isSupplement(title: string): boolean {
  return (
    /_hook_|_VAR\d|_\d+x\d+$/.test(title) ||
    /^(?:season|saison|temporada)\s\d+\s*(?:trailer|teaser|clip|recap|\((?:trailer|teaser|clipe?|bande-annonce|extrait|récap))/iu.test(
      title.replace(/\u00a0/g, ' '),
    ) ||
    /\((?:trailer|teaser|bande-annonce|tráiler|clipe?|extrait|récap|recap)(?:\s\d+)?\)/iu.test(title)
  )
}
