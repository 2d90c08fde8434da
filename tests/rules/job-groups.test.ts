import { expect, test } from 'vitest'
import { getJobGroup, rankJobGroups } from '../../src/lib/rules/job-groups.ts'

test('jobs of all importers have a group, and unknown jobs have none', () => {
  expect(['Actor', 'Screenplay', 'Author', 'Composer', 'Production Design'].map(getJobGroup)).toEqual([
    'acting',
    'writing',
    'writing',
    'music',
    'design',
  ])
  expect(getJobGroup('constructor')).toBeUndefined()
})

test('the group with the most titles comes first, and equal groups have a fixed order', () => {
  const jobs = [
    { job: 'Actor', titles: 2 },
    { job: 'Writer', titles: 7 },
    { job: 'Screenplay', titles: 3 },
    { job: 'Director', titles: 7 },
  ]
  expect(rankJobGroups(jobs)).toEqual(['directing', 'writing', 'acting'])
})
