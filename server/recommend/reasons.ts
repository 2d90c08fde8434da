import { tuning } from './constants.ts'
import type { Evidence } from './evidence.ts'
import { kernel } from './kernel.ts'
import type { Model } from './model.ts'
import { background, genreScore } from './score.ts'
import type { Reason, ReasonKind, SignalKind } from './types.ts'

const said: Readonly<Record<SignalKind, ReasonKind>> = {
  liked: 'liked',
  completed: 'watched',
  watched: 'watched',
  in_list: 'in_list',
  genre: 'genre',
  disliked: 'popular',
}

/**
 * The signals behind a pick, strongest first: scores are sums over signals, so a share is the exact part a signal
 * has in everything that speaks for the title. Popularity is named when no signal has a part worth naming.
 */
export function reasonsFor(model: Model, evidence: Evidence, key: number, most = 3): Reason[] {
  const parts: { reason: Omit<Reason, 'share'>; part: number }[] = []
  for (const anchor of evidence.anchors) {
    if (anchor.weight <= 0 || anchor.key === key) continue
    const part = anchor.weight * kernel(model, anchor.key, key)
    parts.push({ reason: { kind: said[anchor.kind], key: anchor.key, signal: anchor.signal }, part })
  }
  for (const { genre, signal, weight } of evidence.genres) {
    const part =
      evidence.fade * genreScore(model, new Map([[model.content.genreIds.indexOf(genre), weight]]), key)
    parts.push({ reason: { kind: 'genre', genre, signal }, part })
  }
  const speaking = parts.filter(({ part }) => part > 0).sort((a, b) => b.part - a.part)
  const popularity = Math.max(0, evidence.fade * background(model, key))
  const whole = speaking.reduce((sum, { part }) => sum + part, popularity)
  const reasons = speaking
    .slice(0, most)
    .map(({ reason, part }) => ({ ...reason, share: part / whole }))
    .filter(({ share }) => share >= tuning.leastShare)
  return reasons.length > 0 ? reasons : [{ kind: 'popular', share: 1 }]
}
