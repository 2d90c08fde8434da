/** Splits a Netflix title such as `Show: Season 1: Episode`, in any language. Names may contain colons themselves. */
import type { TitleReading } from './history-row.ts'
import { parseNumberAfterSeries, parseSeasonLabel, splitEpisodeSuffix } from './season-label.ts'

interface TitlePiece {
  text: string
  /** Offsets of the piece in the title. */
  startIndex: number
  endIndex: number
}

/**
 * A title with more characters or more pieces than these limits is not split: its readings would take much more space
 * than the title.
 */
const MAX_TITLE_LENGTH = 1_000
const MAX_TITLE_PIECES = 12

/**
 * Returns the possible readings of a title, the most likely first. If a reading is certain, it is the only one. The
 * result is empty for a title that consists only of separators.
 */
export function parseNetflixTitle(titleText: string): TitleReading[] {
  if (titleText.length > MAX_TITLE_LENGTH) return [{ title: titleText.trim() }]
  const { title, episode } = splitEpisodeSuffix(titleText.trim())
  const pieces = splitTitle(title)
  if (pieces.length === 0) return []
  if (pieces.length > MAX_TITLE_PIECES) return [{ title: trimSeparators(title) }]
  const hasEpisodeNumber = episode !== undefined
  const seasonReadings = createReadingsWithSeason(title, pieces)
  const readings = seasonReadings ? [...seasonReadings] : []
  if (!readings.some((reading) => reading.type)) {
    if (!hasEpisodeNumber) readings.unshift({ title: trimSeparators(title) })
    readings.push(...createReadingsWithoutSeason(title, pieces))
  }
  return readings.map((reading) => (hasEpisodeNumber ? { ...reading, type: 'tv', episode } : reading))
}

function splitTitle(title: string): TitlePiece[] {
  const pieces: TitlePiece[] = []
  let startIndex = 0
  // A colon separates pieces only if a space follows it, but a full-width colon (`：`) also without a space.
  for (const separatorMatch of title.matchAll(/\s*(?::(?:\s+|$)|：\s*)/gu)) {
    pieces.push({
      text: title.slice(startIndex, separatorMatch.index),
      startIndex,
      endIndex: separatorMatch.index,
    })
    startIndex = separatorMatch.index + separatorMatch[0].length
  }
  pieces.push({ text: title.slice(startIndex), startIndex, endIndex: title.length })
  return pieces.filter((piece) => piece.text.trim() !== '')
}

/**
 * Returns readings based on the first piece that names a season. If there is none, the readings are based on a piece
 * that names the series with a number (`Stranger Things 3`), or else on a part (`Part 2`). Returns null if no piece
 * names any of these.
 */
function createReadingsWithSeason(title: string, pieces: readonly TitlePiece[]): TitleReading[] | null {
  const describePiece = (pieceIndex: number) => {
    const piece = pieces[pieceIndex]!
    const seriesTitle = trimSeparators(title.slice(0, pieces[pieceIndex - 1]!.endIndex))
    const label = parseSeasonLabel(piece.text)
    const numberAfterSeries = parseNumberAfterSeries(seriesTitle, piece.text)
    return {
      piece,
      seriesTitle,
      kind: numberAfterSeries === null ? label?.kind : ('show_number' as const),
      seasonNumber: numberAfterSeries ?? label?.number,
    }
  }
  const describedPieces: ReturnType<typeof describePiece>[] = []
  for (const expectedKind of ['season', 'show_number', 'part'] as const) {
    for (let pieceIndex = 1; pieceIndex < pieces.length; pieceIndex += 1) {
      describedPieces[pieceIndex] ??= describePiece(pieceIndex)
      const { piece, seriesTitle, kind, seasonNumber } = describedPieces[pieceIndex]!
      if (kind !== expectedKind) continue
      const remainingTitle = trimSeparators(title.slice(pieces[pieceIndex + 1]?.startIndex ?? title.length))
      const reading: TitleReading = { title: seriesTitle, type: 'tv', seasonName: trimSeparators(piece.text) }
      if (seasonNumber !== undefined) reading.season = seasonNumber
      if (remainingTitle) Object.assign(reading, readEpisode(remainingTitle))
      if (expectedKind === 'season') return [reading]
      if (remainingTitle) return [reading]
      return [{ title: trimSeparators(title) }, reading].slice(expectedKind === 'show_number' ? 1 : 0)
    }
  }
  return null
}

/**
 * Returns the readings as `Show: Episode`. The reading with the shortest series name comes first, because
 * colons are more common in episode names than in series names.
 */
function createReadingsWithoutSeason(title: string, pieces: readonly TitlePiece[]): TitleReading[] {
  return pieces.slice(1).map((piece, index) => ({
    title: trimSeparators(title.slice(0, pieces[index]!.endIndex)),
    type: 'tv',
    ...readEpisode(trimSeparators(title.slice(piece.startIndex))),
  }))
}

function readEpisode(remainingTitle: string): Pick<TitleReading, 'episode' | 'episodeTitle'> {
  const label = parseSeasonLabel(remainingTitle)
  return label && label.kind !== 'season' && label.number !== undefined
    ? { episode: label.number, episodeTitle: remainingTitle }
    : { episodeTitle: remainingTitle }
}

const trimSeparators = (text: string) => text.replace(/\s+/gu, ' ').replace(/^[\s:：]+|[\s:：]+$/gu, '')

/**
 * True for trailers, recaps and other supplements, which are not viewings. Not every file has a column that identifies
 * supplements.
 */
export function isNetflixSupplement(title: string): boolean {
  return (
    /_hook_|_VAR\d|_\d+x\d+$/.test(title) ||
    SEASON_SUPPLEMENT_PATTERN.test(title.replace(/\u00a0/g, ' ')) ||
    BRACKETED_SUPPLEMENT_PATTERN.test(title)
  )
}

/** Words for trailers, clips and recaps, in the languages of Netflix. */
const SUPPLEMENT_WORDS =
  'trailer|teaser|clipe?|bande-annonce|extrait|r[eé]cap|tr[aá]iler|zwiastun|fragman|upoutávka|előzetes|traileri|трейлер|טריילר|إعلان|ملخص|予告編|예고편|预告片|預告片'
const SEASON_SUPPLEMENT_PATTERN = new RegExp(
  `^(?:season|saison|temporada|staffel|stagione|seizoen|sezon|الموسم)\\s\\d+\\s*(?:trailer|teaser|clip|recap|\\((?:${SUPPLEMENT_WORDS}))`,
  'iu',
)
const BRACKETED_SUPPLEMENT_PATTERN = new RegExp(`\\((?:${SUPPLEMENT_WORDS})(?:\\s\\d+)?\\)`, 'iu')
