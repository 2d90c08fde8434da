import { describe, expect, it } from 'vitest'
import { createSeededGenerator } from '../../../server/images/random.ts'
import { computeCollaborativeAffinity, computeTitleAffinity } from '../../../server/recommend/affinity.ts'
import { trainCollaborativeModel } from '../../../server/recommend/collaborative.ts'
import { addEaseScores, computeEaseWeight } from '../../../server/recommend/ease.ts'
import { invertMatrix } from '../../../server/recommend/inverse.ts'
import { buildModel, refreshModel } from '../../../server/recommend/model.ts'
import { loadModel, packModel } from '../../../server/recommend/pack.ts'
import { recommendTitles } from '../../../server/recommend/picks.ts'
import { addSequenceScores, computeSequenceWeight } from '../../../server/recommend/sequence.ts'
import { createTopK } from '../../../server/recommend/top-k.ts'
import {
  allowEveryTitle,
  catalogueTitles,
  createCatalogue,
  createInteractions,
  createProfileSignals,
  trainedModel,
} from './synthetic-catalogue.ts'

describe('matrix inverse', () => {
  it.each([1, 2, 3, 4, 5, 7, 8, 33])(
    'the inverse of a symmetric matrix of size %i, multiplied by the matrix, is the identity',
    (rowCount) => {
      const drawNumber = createSeededGenerator(rowCount)
      const factorMatrix = Float64Array.from({ length: rowCount * rowCount }, () => drawNumber() - 0.5)
      const matrix = new Float64Array(rowCount * rowCount)
      for (let i = 0; i < rowCount; i++)
        for (let j = 0; j < rowCount; j++)
          for (let k = 0; k < rowCount; k++)
            matrix[i * rowCount + j]! +=
              factorMatrix[i * rowCount + k]! * factorMatrix[j * rowCount + k]! + (i === j ? 1 / rowCount : 0)
      const inverse = invertMatrix(matrix.slice(), rowCount)
      for (let i = 0; i < rowCount; i++)
        for (let j = 0; j < rowCount; j++) {
          let sum = 0
          for (let k = 0; k < rowCount; k++) sum += matrix[i * rowCount + k]! * inverse[k * rowCount + j]!
          expect(sum).toBeCloseTo(i === j ? 1 : 0, 8)
        }
    },
  )
  it('throws RangeError for a matrix that is not positive definite', () => {
    expect(() => invertMatrix(Float64Array.of(1, 2, 2, 1), 2)).toThrow(RangeError)
  })
})

describe('collaborative model', () => {
  const interactions = createInteractions(createCatalogue(60), 40)

  it('the collaborative model has the same weights whether the regression inverts a matrix of profiles or a matrix of titles', () => {
    const modelSolvedByProfiles = trainCollaborativeModel(interactions, { ridge: 3, minSupport: 1 })
    expect(modelSolvedByProfiles.titles.side).toBe('profiles')
    // If there are more profiles than titles, the regression inverts a matrix of titles instead of a matrix of
    // profiles. These interactions add 50 profiles. The value of the interactions is 0, so they change no weight.
    const emptyInteractions = Array.from({ length: 50 }, (_, index) => ({
      profile: 1000 + index,
      titleKey: 1e6 + index,
      at: 0,
      value: 0,
    }))
    const modelSolvedByTitles = trainCollaborativeModel([...interactions, ...emptyInteractions], {
      ridge: 3,
      minSupport: 2,
    })
    expect(modelSolvedByTitles.titles.side).toBe('titles')
    const referenceModel = trainCollaborativeModel(interactions, { ridge: 3, minSupport: 2 })
    for (let i = 0; i < 10; i++)
      for (let j = 0; j < 10; j++)
        expect(computeEaseWeight(modelSolvedByTitles, i, j)).toBeCloseTo(
          computeEaseWeight(referenceModel, i, j),
          5,
        )
  })
  it('the score of several signals is the weighted sum of their single scores', () => {
    const { collaborative } = trainedModel
    const anchors = [
      { column: 1, weight: 0.7 },
      { column: 5, weight: 1.1 },
    ]
    const easeScores = new Float64Array(collaborative.keys.length)
    const sequenceScores = new Float64Array(collaborative.keys.length)
    addEaseScores(collaborative, anchors, easeScores)
    addSequenceScores(collaborative, anchors, sequenceScores)
    for (let j = 10; j < 40; j++) {
      expect(
        0.7 * computeEaseWeight(collaborative, 1, j) + 1.1 * computeEaseWeight(collaborative, 5, j),
      ).toBeCloseTo(easeScores[j]!, 6)
      expect(
        0.7 * computeSequenceWeight(collaborative, 1, j) + 1.1 * computeSequenceWeight(collaborative, 5, j),
      ).toBeCloseTo(sequenceScores[j]!, 6)
    }
  })
  it('the collaborative model ignores titles with interactions of fewer than three profiles', () => {
    const interaction = { titleKey: 7, at: 0, value: 1 }
    const modelOfTwoProfiles = trainCollaborativeModel([
      { ...interaction, profile: 1 },
      { ...interaction, profile: 2 },
    ])
    expect([...modelOfTwoProfiles.keys]).toEqual([])
    expect([
      ...trainCollaborativeModel([1, 2, 3].map((profile) => ({ ...interaction, profile }))).keys,
    ]).toEqual([7])
  })
  it('the collaborative model does not depend on the order of the interactions', () => {
    expect(trainCollaborativeModel([...interactions].reverse())).toEqual(
      trainCollaborativeModel(interactions),
    )
  })
  it('the collaborative model learns no order of titles from interactions with the same time', () => {
    const simultaneousModel = trainCollaborativeModel(
      interactions.map((interaction) => ({ ...interaction, at: 5 })),
    )
    for (let j = 1; j < 20; j++) expect(computeSequenceWeight(simultaneousModel, 0, j)).toBe(0)
  })
})

describe('recommendation model', () => {
  it('a recommendation model returns the same picks after it is packed and loaded again', () => {
    const loadedModel = loadModel(packModel(trainedModel))
    expect(loadedModel.version).toBe('trained')
    const signals = createProfileSignals(catalogueTitles, 20, 3)
    const pickTitles = (model: typeof loadedModel) =>
      recommendTitles(model, signals, { limit: 15, scope: allowEveryTitle })
    expect(pickTitles(loadedModel)).toEqual(pickTitles(trainedModel))
  })
  it('loadModel throws RangeError for a truncated file, another format or another version', () => {
    const packedModel = packModel(trainedModel)
    expect(() => loadModel(new ArrayBuffer(4))).toThrow(RangeError)
    expect(() => loadModel(new ArrayBuffer(64))).toThrow(RangeError)
    expect(() => loadModel(packedModel.slice(0, packedModel.byteLength - 64))).toThrow(RangeError)
    new DataView(packedModel).setUint32(8, 99, true)
    expect(() => loadModel(packedModel)).toThrow(RangeError)
  })
  it.each([
    ['is not JSON', '{"version"', '{version""'],
    ['is null', /.*/s, (header: string) => 'null'.padEnd(header.length)],
    ['has an unknown kind of array', 'Float32Array', 'Float99Array'],
    ['has an inherited property as the kind of an array', '"Float32Array"', '"constructor" '],
    ['has an unknown section', '"collaborative.', '"collaborativE.'],
    ['has a negative length', /"length":\d\d/, (text: string) => text.replace(/\d\d$/, '-1')],
    ['has no list of arrays', '"arrays"', '"arrayz"'],
  ] as [string, string | RegExp, string | ((text: string) => string)][])(
    'loadModel throws RangeError for a file whose header %s',
    (_, searchValue, replacement) => {
      const packedModel = packModel(trainedModel)
      const headerBytes = Buffer.from(packedModel, 16, new DataView(packedModel).getUint32(12, true))
      const headerText = headerBytes.toString()
      const damagedHeader = headerText.replace(searchValue, replacement as string)
      expect([damagedHeader === headerText, damagedHeader.length]).toEqual([false, headerText.length])
      headerBytes.write(damagedHeader)
      expect(() => loadModel(packedModel)).toThrow(RangeError)
    },
  )
  it('refreshing the recommendation model with new interactions results in the same model as building it again', () => {
    const interactions = createInteractions(catalogueTitles, 30, 9)
    const refreshedModel = refreshModel(trainedModel, interactions, { version: 'next' })
    const rebuiltModel = buildModel(catalogueTitles, interactions, { version: 'next' })
    expect(new Uint8Array(packModel(refreshedModel))).toEqual(new Uint8Array(packModel(rebuiltModel)))
  })
  it('a recommendation model without titles returns no picks', () => {
    const emptyModel = buildModel([], [], { version: 'empty' })
    expect(
      recommendTitles(loadModel(packModel(emptyModel)), createProfileSignals(catalogueTitles, 5, 1), {
        limit: 5,
        scope: allowEveryTitle,
      }),
    ).toEqual([])
  })
  it('a recommendation model ignores signals and interactions of titles that it does not contain', () => {
    const smallerModel = buildModel(catalogueTitles.slice(0, 600), createInteractions(catalogueTitles, 60), {
      version: 'half',
    })
    expect(
      recommendTitles(smallerModel, createProfileSignals(catalogueTitles, 30, 4), {
        limit: 15,
        scope: allowEveryTitle,
      }),
    ).toHaveLength(15)
  })
  it('the recommendation model adds content similarity to collaborative similarity', () => {
    const [firstKey, secondKey] = [trainedModel.collaborative.keys[0]!, trainedModel.collaborative.keys[1]!]
    expect(computeTitleAffinity(trainedModel, firstKey, secondKey)).toBeGreaterThanOrEqual(
      computeCollaborativeAffinity(trainedModel, firstKey, secondKey),
    )
    expect(computeTitleAffinity(trainedModel, firstKey, 1_000_000)).toBe(0)
  })
})

describe('selection of the best scores', () => {
  it.each([1, 2, 3, 10, 50])('selects the %i best of 500 scores', (limit) => {
    const drawNumber = createSeededGenerator(limit)
    const scoredKeys = Array.from({ length: 500 }, (_, key) => ({
      key,
      score: Math.floor(drawNumber() * 50),
    }))
    const selection = createTopK(limit)
    for (const { key, score } of scoredKeys) if (selection.accepts(key, score)) selection.add(key, score)
    const expectedScores = scoredKeys.sort((a, b) => b.score - a.score || a.key - b.key).slice(0, limit)
    expect(selection.toSorted()).toEqual(expectedScores)
  })
})
