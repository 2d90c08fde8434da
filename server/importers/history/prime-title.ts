/**
 * Splits the titles in the files that Prime Video sends to users who request their personal data:
 * `Episode-Show - Season 5`. A film has only its name.
 */
import { parseSeasonLabel } from './season-label.ts'

export interface PrimeTitle {
  title: string
  seriesTitle?: string
  season?: string
}

const MAX_TITLE_LENGTH = 600

/**
 * Returns the parts of a title. Only a title with a season is split: without one, the hyphen may belong to the name of
 * a film. A title stays whole if several hyphens have no space beside them, because it is unknown at which hyphen the
 * name of the show begins.
 */
export function parsePrimeTitle(text: string): PrimeTitle {
  const title = text.replace(/^"|"$/g, '').trim()
  const seasonIndex = title.length > MAX_TITLE_LENGTH ? -1 : title.lastIndexOf(' - ')
  const label = seasonIndex > 0 ? parseSeasonLabel(title.slice(seasonIndex + 3)) : null
  if (label?.kind !== 'season') return { title }
  const episodeAndShow = title.slice(0, seasonIndex)
  const season = String(label.number ?? '')
  const parts = episodeAndShow.split(/(?<=[^\s-])-(?=[^\s-])/)
  if (parts.length > 2) return { title }
  const [firstPart = '', seriesTitle = firstPart] = parts.map((part) => part.trim())
  return { title: firstPart, seriesTitle, season }
}
