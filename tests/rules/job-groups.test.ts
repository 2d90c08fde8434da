import { expect, test } from 'vitest'
import { getJobGroup, rankJobGroups } from '../../src/lib/rules/job-groups.ts'

test('getJobGroup returns the group of a known job, and undefined for an unknown job', () => {
  expect(['Actor', 'Screenplay', 'Author', 'Composer', 'Production Design'].map(getJobGroup)).toEqual([
    'acting',
    'writing',
    'writing',
    'music',
    'design',
  ])
  expect(getJobGroup('constructor')).toBeUndefined()
})

test('job groups are ranked by the number of titles of their most frequent job, and groups with the same number have a fixed order', () => {
  const jobs = [
    { job: 'Actor', titles: 2 },
    { job: 'Writer', titles: 7 },
    { job: 'Screenplay', titles: 3 },
    { job: 'Director', titles: 7 },
  ]
  expect(rankJobGroups(jobs)).toEqual(['directing', 'writing', 'acting'])
})
