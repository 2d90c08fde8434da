/** Compares the similar titles of the demo catalogue with judgements of people who know the titles. */
import { describe, expect, it } from 'vitest'
import { createFranchiseIndex } from '../../../server/recommend/franchise.ts'
import { buildModel } from '../../../server/recommend/model.ts'
import { findSimilarTitles } from '../../../server/recommend/similar.ts'
import { countJudgements, readDemoTitles, readJudgements } from './judged-titles.ts'
import { allowEveryTitle } from './synthetic-catalogue.ts'

const SHOWN_NEIGHBOUR_COUNT = 6
const titles = readDemoTitles()
const titlesByKey = new Map(titles.map((title) => [title.key, title]))
const model = buildModel(titles, [], { version: 'demo' })
const judgedTitles = readJudgements(titles)

const listNeighbours = (titleKey: number, seenKeys: readonly number[] = []): number[] =>
  findSimilarTitles(model, titleKey, {
    limit: SHOWN_NEIGHBOUR_COUNT,
    scope: allowEveryTitle,
    type: titlesByKey.get(titleKey)!.type,
    seenTitleKeys: new Set(seenKeys),
  }).map((neighbour) => neighbour.key)
const findTitleKey = (titleName: string): number => titles.find(({ title }) => title === titleName)!.key
const listNames = (titleName: string, seenNames: readonly string[] = []): string[] =>
  listNeighbours(findTitleKey(titleName), seenNames.map(findTitleKey)).map(
    (key) => titlesByKey.get(key)!.title,
  )

describe('numbers that identify the franchise of a title', () => {
  const franchiseNames = [
    'toy story',
    'toy story 3',
    'paddington',
    'paddington in peru',
    'mission: impossible',
    'mission: impossible - fallout',
    'dune: part two',
    'dune',
    'harry potter and the chamber of secrets',
    'harry potter and the goblet of fire',
    'love',
    'love actually',
    'حرب',
    'حرب 2',
    '!!!',
  ]
  const franchiseIndex = createFranchiseIndex()
  for (const name of franchiseNames) franchiseIndex.add(name)
  const franchiseNumbers = franchiseIndex.build()
  const getFranchiseNumber = (name: string): number => franchiseNumbers[franchiseNames.indexOf(name)]!
  it.each([
    ['toy story', 'toy story 3'],
    ['paddington', 'paddington in peru'],
    ['mission: impossible', 'mission: impossible - fallout'],
    ['dune', 'dune: part two'],
    ['harry potter and the chamber of secrets', 'harry potter and the goblet of fire'],
    ['حرب', 'حرب 2'],
  ])('franchise numbers are equal for "%s" and "%s"', (firstName, secondName) => {
    expect(getFranchiseNumber(firstName)).not.toBe(0)
    expect(getFranchiseNumber(firstName)).toBe(getFranchiseNumber(secondName))
  })
  it('names that share only a short first word, such as "love" and "love actually", have different franchise numbers, and a name without letters and digits has the number 0', () => {
    expect(getFranchiseNumber('love')).not.toBe(getFranchiseNumber('love actually'))
    expect(getFranchiseNumber('!!!')).toBe(0)
  })
})

describe('judged similar titles', () => {
  it('similar titles have been judged for at least 100 titles', () =>
    expect(judgedTitles.length).toBeGreaterThanOrEqual(100))

  it.each([true, false])(
    'at least 70 % of the similar titles were judged as good, and at most 3 % as wrong (titles used for tuning: %s)',
    (isUsedForTuning) => {
      let shownCount = 0
      let goodCount = 0
      const wrongTitles: string[] = []
      for (const judgedTitle of judgedTitles.filter(
        (candidate) => candidate.isUsedForTuning === isUsedForTuning,
      )) {
        const neighbours = listNeighbours(judgedTitle.key)
        const counts = countJudgements(judgedTitle, neighbours)
        shownCount += neighbours.length
        goodCount += counts.goodCount
        wrongTitles.push(
          ...counts.wrongKeys.map((key) => `${judgedTitle.title} -> ${titlesByKey.get(key)!.title}`),
        )
      }
      expect(shownCount).toBeGreaterThan(200)
      expect(goodCount / shownCount).toBeGreaterThanOrEqual(0.7)
      expect(wrongTitles.length / shownCount, wrongTitles.join('\n')).toBeLessThanOrEqual(0.03)
    },
  )

  it('a title for children has no similar titles for adults, and a title for adults has no similar titles for children', () => {
    const isForChildren = ({ kids, genres }: (typeof titles)[number]): boolean => kids && !genres.includes(99)
    const isForAdults = ({ age }: (typeof titles)[number]): boolean => (age ?? 0) >= 17
    let neighbourCount = 0
    for (const title of titles.filter((title) => isForChildren(title) || isForAdults(title)))
      for (const neighbour of listNeighbours(title.key).map((key) => titlesByKey.get(key)!)) {
        expect(
          isForAdults(title) ? isForChildren(neighbour) : isForAdults(neighbour),
          `${title.title} -> ${neighbour.title}`,
        ).toBe(false)
        neighbourCount += 1
      }
    expect(neighbourCount).toBeGreaterThan(500)
  })

  it('the list of similar titles begins with the other parts of a franchise in release order, seen parts after unseen parts', () => {
    expect(listNames('Toy Story').slice(0, 3)).toEqual(['Toy Story 2', 'Toy Story 3', 'Toy Story 4'])
    expect(listNames('Toy Story 3').slice(0, 3)).toEqual(['Toy Story', 'Toy Story 2', 'Toy Story 4'])
    expect(listNames('Toy Story', ['Toy Story 2']).slice(0, 3)).toEqual([
      'Toy Story 3',
      'Toy Story 4',
      'Toy Story 2',
    ])
  })
})
