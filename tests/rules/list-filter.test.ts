import { expect, it } from 'vitest'
import { toBrowsePageQuery, toListQuery } from '../../src/lib/rules/list-filter.ts'

it('the filters of a browse page can be converted to the filters of a smart list and back', () => {
  const pageQuery = '?sort=rating.desc&includeGenres=18&includeGenres=80&rated=18%2B&hideSeen=true'
  const listQuery = toListQuery('movie', pageQuery)
  expect(listQuery).toBe('sort=rating.desc&include-genres=18&include-genres=80&rated=18%2B&hide-seen=true')
  expect(toBrowsePageQuery(listQuery)).toBe(pageQuery)
  expect(toBrowsePageQuery('')).toBe('')
})

it('converting the filters of a browse page omits the filters that a smart list of the same type (movies or series) does not support', () => {
  expect(toListQuery('tv', '?highQuality=true&network=netflix')).toBe('network=netflix')
  expect(toListQuery('movie', '?highQuality=true&network=netflix')).toBe('high-quality=true')
})

it('a smart list that is sorted by release date contains only released titles, unless it is filtered by year', () => {
  const listQuery = toListQuery('movie', '?sort=release_date.desc')
  expect(listQuery).toBe('sort=release_date.desc&released=true')
  expect(toBrowsePageQuery(listQuery)).toBe('?sort=release_date.desc')
  expect(toListQuery('movie', '?sort=release_date.desc&releaseYear=1999')).not.toContain('released')
})
