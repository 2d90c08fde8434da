import { expect, test } from 'vitest'
import { isSpoiler } from '../../src/lib/rules/spoilers.ts'

const seasons = [
  { season_number: 1, episode_count: 3 },
  { season_number: 3, episode_count: 2 },
  { season_number: 0, episode_count: 1 },
]
const createRecord = (code: string, finished = true) => {
  const [season = 0, episode = 0] = code.split('x').map(Number)
  return { season, episode, finished }
}
/** Returns the episodes that are spoilers, as `season x episode`. */
const listSpoilers = (records: ReturnType<typeof createRecord>[]) =>
  ['1x1', '1x2', '1x3', '3x1', '3x2', '0x1'].filter((code) => {
    const { season, episode } = createRecord(code)
    return isSpoiler({ season_number: season, episode_number: episode }, records, seasons)
  })

test('only the first episode is no spoiler before a series was started', () => {
  expect(listSpoilers([])).toEqual(['1x2', '1x3', '3x1', '3x2', '0x1'])
})

test('the next episode is no spoiler after a finished one', () => {
  expect(listSpoilers([createRecord('1x1')])).toEqual(['1x3', '3x1', '3x2', '0x1'])
})

test('an unfinished episode is the next one', () => {
  expect(listSpoilers([createRecord('1x1'), createRecord('1x2', false)])).toEqual([
    '1x3',
    '3x1',
    '3x2',
    '0x1',
  ])
})

test('the next season follows the last episode of a season, also when a number is missing', () => {
  expect(listSpoilers([createRecord('1x3')])).toEqual(['3x2', '0x1'])
})

test('a skipped episode before the furthest one and a seen special are no spoilers', () => {
  expect(listSpoilers([createRecord('3x1'), createRecord('0x1')])).toEqual([])
})

test('a series of which only a special was seen has not been started', () => {
  expect(listSpoilers([createRecord('0x1')])).toEqual(['1x2', '1x3', '3x1', '3x2'])
})
