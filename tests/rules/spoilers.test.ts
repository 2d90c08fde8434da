import { expect, test } from 'vitest'
import { isSpoiler, removeSpoilers } from '../../src/lib/rules/spoilers.ts'

const seasons = [
  { season_number: 1, first_episode: 1, last_episode: 3 },
  { season_number: 3, first_episode: 1, last_episode: 2 },
  { season_number: 0, first_episode: 1, last_episode: 1 },
]
const createRecord = (episodeCode: string, finished = true) => {
  const [season = 0, episode = 0] = episodeCode.split('x').map(Number)
  return { season, episode, finished }
}
/**
 * Returns the codes (`<season>x<episode>`) of the episodes that are spoilers for a profile with these progress records.
 */
const listSpoilers = (records: ReturnType<typeof createRecord>[]) =>
  ['1x1', '1x2', '1x3', '3x1', '3x2', '0x1'].filter((episodeCode) => {
    const { season, episode } = createRecord(episodeCode)
    return isSpoiler({ season_number: season, episode_number: episode }, records, seasons)
  })

test('before a series was started, every episode except the first is a spoiler', () => {
  expect(listSpoilers([])).toEqual(['1x2', '1x3', '3x1', '3x2', '0x1'])
})

test('after a finished episode, the next episode is not a spoiler', () => {
  expect(listSpoilers([createRecord('1x1')])).toEqual(['1x3', '3x1', '3x2', '0x1'])
})

test('an unfinished episode counts as the next episode, so the following episode is a spoiler', () => {
  expect(listSpoilers([createRecord('1x1'), createRecord('1x2', false)])).toEqual([
    '1x3',
    '3x1',
    '3x2',
    '0x1',
  ])
})

test('after the last episode of a season, the first episode of the next season is not a spoiler, despite a gap in season numbers', () => {
  expect(listSpoilers([createRecord('1x3')])).toEqual(['3x2', '0x1'])
})

test('a skipped earlier episode and a seen special are not spoilers', () => {
  expect(listSpoilers([createRecord('3x1'), createRecord('0x1')])).toEqual([])
})

test('a series counts as not started if only a special was seen', () => {
  expect(listSpoilers([createRecord('0x1')])).toEqual(['1x2', '1x3', '3x1', '3x2'])
})

test('when episode numbers continue across seasons, only the episodes after the next episode are spoilers', () => {
  const continuedSeasons = [
    { season_number: 1, first_episode: 1, last_episode: 61 },
    { season_number: 2, first_episode: 62, last_episode: 77 },
    { season_number: 3, first_episode: null, last_episode: null },
  ]
  const episodeCodes = ['1x61', '2x62', '2x63', '2x64', '2x77']
  const listContinuedSpoilers = (...seenCodes: string[]) =>
    episodeCodes.filter((episodeCode) => {
      const { season, episode } = createRecord(episodeCode)
      const records = seenCodes.map((seenCode) => createRecord(seenCode))
      return isSpoiler({ season_number: season, episode_number: episode }, records, continuedSeasons)
    })
  expect(listContinuedSpoilers('2x62')).toEqual(['2x64', '2x77'])
  expect(listContinuedSpoilers('1x61')).toEqual(['2x63', '2x64', '2x77'])
  expect(listContinuedSpoilers('1x60')).toEqual(['2x62', '2x63', '2x64', '2x77'])
  expect(listContinuedSpoilers('2x77')).toEqual([])
})

test('hiding the spoilers of an episode removes its title, overview and picture, and keeps its number and date', () => {
  const episode = {
    season_number: 1,
    episode_number: 3,
    air_date: '2026-11-20',
    title: 'The End',
    overview: 'Everybody leaves.',
    still_path: '/end.jpg',
  }
  expect(removeSpoilers(episode)).toEqual({
    season_number: 1,
    episode_number: 3,
    air_date: '2026-11-20',
    title: null,
    overview: null,
    still_path: null,
  })
})
