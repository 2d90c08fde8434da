import { cosine } from './content.ts'
import { easeWeight } from './ease.ts'
import { type Model, pull } from './model.ts'
import { nextWeight } from './next.ts'

/**
 * What one title says about another: the crowd's regression weight, what followed, and content. The crowd's parts
 * shrink towards nothing where few profiles met both titles (ridge, shrinkage), content does not: that is the blend.
 */
export function kernel(model: Model, one: number, other: number): number {
  const content = model.contentWeight * cosine(model.content, one, other) * pull(model, other)
  return content + crowdKernel(model, one, other)
}

/** The crowd's part of the kernel; 0 where it knows nothing. */
export function crowdKernel(model: Model, one: number, other: number): number {
  const from = model.columnOf[one] ?? -1
  const to = model.columnOf[other] ?? -1
  if (from < 0 || to < 0 || from === to) return 0
  return easeWeight(model.crowd, from, to) + nextWeight(model.crowd, from, to)
}
