import { expect, test } from 'vitest'
import { getCrewJobGroup, rankCrewJobGroups } from '../../src/lib/rules/job-groups.ts'

test('getCrewJobGroup returns the group of a known job of a cast or crew member, and undefined for an unknown job', () => {
  expect(['Actor', 'Screenplay', 'Author', 'Composer', 'Production Design'].map(getCrewJobGroup)).toEqual([
    'acting',
    'writing',
    'writing',
    'music',
    'design',
  ])
  expect(getCrewJobGroup('constructor')).toBeUndefined()
})

test('the job groups of a person are ranked by the number of titles of the most frequent job in each group, and groups with equal numbers have a fixed order', () => {
  const jobs = [
    { job: 'Actor', titles: 2 },
    { job: 'Writer', titles: 7 },
    { job: 'Screenplay', titles: 3 },
    { job: 'Director', titles: 7 },
  ]
  expect(rankCrewJobGroups(jobs)).toEqual(['directing', 'writing', 'acting'])
})
