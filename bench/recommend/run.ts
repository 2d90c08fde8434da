import { parseArgs } from 'node:util'
import { evaluateLeaveOneOut, evaluateMcrecSplit } from './closed-form.ts'
import { evaluateColdStart } from './cold-start.ts'
import { hasSharedData } from './data.ts'
import { readRatingDataset } from './movielens.ts'
import { measureServing } from './scale.ts'
import { evaluateSeries } from './series.ts'
import { evaluateTemporalSplit } from './temporal.ts'

const HELP_TEXT = `Produces the figures of docs/measurements/recommendations.md.
  --only a,b      of: mcrec, loo, temporal, cold, series, scale (all by default)
  --ratings DIR   another rating set in the form of ml_latest_small (ratings, movies, links .csv.gz)
  --titles N,N    sizes for scale (100000,300000,1000000)`

const { values: optionValues } = parseArgs({
  options: {
    only: { type: 'string' },
    ratings: { type: 'string', default: 'recsys/ml_latest_small' },
    titles: { type: 'string', default: '100000,300000,1000000' },
    help: { type: 'boolean', default: false },
  },
})

const titleCounts = optionValues.titles.split(',').map(Number)
const readDataset = () => readRatingDataset(optionValues.ratings)

/** Each part returns whether its targets were met, or undefined if the part has no targets. */
const partsByName: Record<string, [title: string, run: () => boolean | undefined]> = {
  mcrec: ['ML-100K, MCREC: EASE against the published figures', evaluateMcrecSplit],
  loo: ['ML-1M, NCF_LOO_99NEG: EASE against the published figures', evaluateLeaveOneOut],
  temporal: [
    'TEMPORAL_80_20 with the shared catalogue (target: NDCG@10 .112, HR@10 .46)',
    () => evaluateTemporalSplit(readDataset()),
  ],
  cold: [
    'Cold start (target: 1.5 times TopPopular with one like, else twice)',
    () => evaluateColdStart(readDataset()),
  ],
  series: ['Series', evaluateSeries],
  scale: ['Serving (target: top picks p95 30 ms, similar p95 15 ms)', () => measureServing(titleCounts)],
}

if (optionValues.help) console.log(HELP_TEXT)
else if (!hasSharedData('recsys')) console.log('Shared data sets not found: nothing was measured.')
else {
  for (const partName of optionValues.only?.split(',') ?? Object.keys(partsByName)) {
    const selectedPart = partsByName[partName]
    if (!selectedPart) throw new Error(HELP_TEXT)
    console.log(`\n${selectedPart[0]}`)
    const isTargetMet = selectedPart[1]()
    if (isTargetMet !== undefined) console.log(isTargetMet ? '  target met' : '  TARGET NOT MET')
    if (isTargetMet === false) process.exitCode = 1
  }
}
