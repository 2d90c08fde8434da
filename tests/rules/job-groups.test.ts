import { expect, test } from 'vitest'
import { getJobGroup, rankJobGroups } from '../../src/lib/rules/job-groups.ts'

test('known jobs have a group, and an unknown job has none', () => {
  expect(['Actor', 'Screenplay', 'Author', 'Composer', 'Production Design'].map(getJobGroup)).toEqual([
    'acting',
    'writing',
    'writing',
    'music',
    'design',
  ])
  expect(getJobGroup('constructor')).toBeUndefined()
})

test('the group with the most titles is listed first, and groups with equally many titles have a fixed order', () => {
  const jobs = [
    { job: 'Actor', titles: 2 },
    { job: 'Writer', titles: 7 },
    { job: 'Screenplay', titles: 3 },
    { job: 'Director', titles: 7 },
  ]
  expect(rankJobGroups(jobs)).toEqual(['directing', 'writing', 'acting'])
})
