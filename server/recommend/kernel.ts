import { cosine } from './content.ts'
import { easeWeight } from './ease.ts'
import { type Model, pull } from './model.ts'
import { nextWeight } from './next.ts'

/**
 * Returns the weight of title `from` in the score of title `to`: EASE regression, sequence model and content
 * similarity. The collaborative parts shrink towards 0 where few profiles interacted with both titles (ridge and
 * shrinkage); content similarity does not, so it dominates there.
 */
export function kernel(model: Model, from: number, to: number): number {
  const content = model.contentWeight * cosine(model.content, from, to) * pull(model, to)
  return content + crowdKernel(model, from, to)
}

/** Returns the collaborative part of `titleAffinity`; 0 for titles outside the collaborative model. */
export function crowdKernel(model: Model, fromKey: number, toKey: number): number {
  const fromColumn = model.columnOf[fromKey] ?? -1
  const toColumn = model.columnOf[toKey] ?? -1
  if (fromColumn < 0 || toColumn < 0 || fromColumn === toColumn) return 0
  return easeWeight(model.crowd, fromColumn, toColumn) + nextWeight(model.crowd, fromColumn, toColumn)
}
