/**
 * Converts the filters of a browse page to the filters of a smart list and back. The page uses camelCase names, the API
 * kebab-case names.
 */

const toKebabCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const toCamelCase = (name: string) => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Page parameters that the API does not accept for a movie list or for a series list. */
const UNSUPPORTED_PARAMETERS_BY_TYPE = { movie: ['network'], tv: ['highQuality'] } as const

/**
 * True if a list leaves out titles that are not released. This is the case for the sort order with the latest titles
 * first, because such a list would start with titles that are announced for the next years. When the user has chosen
 * release years, the list contains all titles of these years.
 */
export const isLimitedToReleased = (sort: string | null, hasReleaseYears: boolean): boolean =>
  sort === 'release_date.desc' && !hasReleaseYears

/** Returns the API query for the query of a browse page. */
export function toListQuery(type: 'movie' | 'tv', pageQuery: string): string {
  const listParams = new URLSearchParams()
  const unsupportedParameters: readonly string[] = UNSUPPORTED_PARAMETERS_BY_TYPE[type]
  // A smart list must not depend on the time of day, so the filter by end time is removed.
  for (const [name, value] of new URLSearchParams(pageQuery))
    if (!unsupportedParameters.includes(name) && name !== 'endBy') listParams.append(toKebabCase(name), value)
  if (isLimitedToReleased(listParams.get('sort'), listParams.has('release-year')))
    listParams.set('released', 'true')
  return listParams.toString()
}

/** Returns the query of the browse page for the API query of a smart list, with `?`. */
export function toBrowsePageQuery(listQuery: string): string {
  const pageParams = new URLSearchParams()
  // The parameter `released` is removed, because the browse page adds it again when it requests the titles.
  for (const [name, value] of new URLSearchParams(listQuery))
    if (name !== 'released') pageParams.append(toCamelCase(name), value)
  return pageParams.size > 0 ? `?${pageParams}` : ''
}
