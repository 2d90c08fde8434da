import { parseArgs } from 'node:util'
import { leaveOneOut, mcrec } from './closed-form.ts'
import { cold } from './cold.ts'
import { present } from './data.ts'
import { readRatings } from './movielens.ts'
import { scale } from './scale.ts'
import { series } from './series.ts'
import { temporal } from './temporal.ts'

const help = `The figures of docs/recommendations.md.
  --only a,b      of: mcrec, loo, temporal, cold, series, scale (all by default)
  --ratings DIR   another rating set in the form of ml_latest_small (ratings, movies, links .csv.gz)
  --titles N,N    sizes for scale (100000,300000,1000000)`

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    ratings: { type: 'string', default: 'recsys/ml_latest_small' },
    titles: { type: 'string', default: '100000,300000,1000000' },
    help: { type: 'boolean', default: false },
  },
})

const sizes = values.titles.split(',').map(Number)
const set = () => readRatings(values.ratings)

/** Each answers whether it met its bar; `undefined` when it has none. */
const parts: Record<string, [title: string, run: () => boolean | undefined]> = {
  mcrec: ['ML-100K, MCREC: EASE against the published figures', mcrec],
  loo: ['ML-1M, NCF_LOO_99NEG: EASE against the published figures', leaveOneOut],
  temporal: [
    'TEMPORAL_80_20 with the shared catalogue (bar: NDCG@10 .112, HR@10 .46)',
    () => temporal(set()),
  ],
  cold: ['Cold start (bar: twice TopPopular)', () => cold(set())],
  series: ['Series', series],
  scale: ['Serving (bar: top picks p95 30 ms, similar p95 15 ms)', () => scale(sizes)],
}

if (values.help) console.log(help)
else if (!present('recsys')) console.log('The shared data sets are not here; nothing was measured.')
else {
  for (const name of values.only?.split(',') ?? Object.keys(parts)) {
    const part = parts[name]
    if (!part) throw new Error(help)
    console.log(`\n${part[0]}`)
    const met = part[1]()
    if (met !== undefined) console.log(met ? '  bar met' : '  BAR NOT MET')
    if (met === false) process.exitCode = 1
  }
}
