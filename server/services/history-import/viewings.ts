/** Viewings of one movie or episode: their times are kept one by one, progress says where the last of them ended. */
import { isFinished } from '../../../src/lib/rules/progress.ts'
import type { HistoryRow } from '../../importers/history/row.ts'
import type { Row } from '../../queries/tracking-rows.ts'
import type { Merge, PlacedRow } from './merge.ts'
import { dayOf, type Moment, momentOf, sameViewing } from './moment.ts'
import { UNKNOWN } from './place.ts'

/** Seconds that were watched of something whose length nobody knows, to call it watched. */
const LONG_ENOUGH = { movie: 3_600, tv: 900 } as const

interface Viewing {
  row: HistoryRow
  moment: Moment
  whole: boolean
  /** Told by another service already. */
  echo: boolean
}

/** All rows are of one place. */
export function mergeViewings(merge: Merge): void {
  const [first] = merge.rows
  if (!first) return
  const { season, episode } = first
  const seconds = lengthOf(merge, first)
  const known = playsAt(merge, first)
  const viewings = merge.rows
    .map(({ row }): Viewing => {
      const moment = momentOf(row.at, merge.now)
      const whole = row.kind === 'played' || isWhole(row, merge.title.type, seconds)
      return { row, moment, whole, echo: whole && isEcho({ row, episode, moment, seconds }, known) }
    })
    .sort((a, b) => a.moment.ms - b.moment.ms)
  for (const { row, moment, whole, echo } of viewings) {
    const timed = row.kind === 'played' || (whole && row.source !== 'marquee')
    if (!timed || (echo && !isHeld(merge, first, moment))) continue
    merge.ledger.put('play', {
      title_id: merge.title.id,
      season_number: season,
      episode_number: episode,
      name: episode === UNKNOWN ? (row.episodeTitle ?? '') : '',
      watched_at: moment.ms,
      by_day: moment.byDay ? 1 : 0,
    })
  }
  if (episode !== UNKNOWN) mergeProgress(merge, { place: first, viewings, seconds })
}

/** Told by another service already; our own export is exact, and what has no number is known by its name and day. */
function isEcho(
  {
    row,
    episode,
    moment,
    seconds,
  }: { row: HistoryRow; episode: number; moment: Moment; seconds: number | null },
  known: readonly Known[],
): boolean {
  if (row.source === 'marquee') return false
  if (episode !== UNKNOWN) return known.some((one) => sameViewing(one, moment, seconds))
  const name = row.episodeTitle ?? ''
  return known.some((one) => one.byDay && one.name === name && dayOf(one.ms) === dayOf(moment.ms))
}

function lengthOf({ title }: Merge, { season, episode }: PlacedRow): number | null {
  const found = title.episodes.find((one) => one.season_number === season && one.episode_number === episode)
  return found?.seconds ?? title.seconds
}

interface Known extends Moment {
  name: string
}

function playsAt({ ledger, title }: Merge, { season, episode }: PlacedRow): Known[] {
  return ledger
    .playsAt({ title_id: title.id, season_number: season, episode_number: episode })
    .map((one) => ({ ms: Number(one['watched_at']), byDay: one['by_day'] === 1, name: String(one['name']) }))
}

function isHeld({ ledger, title }: Merge, { season, episode }: PlacedRow, { ms }: Moment): boolean {
  const key = { title_id: title.id, season_number: season, episode_number: episode, name: '', watched_at: ms }
  return ledger.get('play', key) !== null
}

/** A row that names no position was watched to the end, as its service counts. */
function isWhole(row: HistoryRow, type: 'movie' | 'tv', seconds: number | null): boolean {
  if (row.finished !== undefined) return row.finished
  if (row.percent !== undefined) return isFinished(row.percent, 100)
  if (row.progress === undefined) return true
  const furthest = Math.max(row.progress, row.durationSeconds ?? 0)
  return seconds ? isFinished(furthest, seconds) : furthest >= LONG_ENOUGH[type]
}

interface Progress {
  place: PlacedRow
  viewings: Viewing[]
  seconds: number | null
}

/** The newest viewing says where somebody is; an older one only adds to how often it was finished. */
function mergeProgress(merge: Merge, { place, viewings, seconds }: Progress): void {
  const { ledger, title } = merge
  const key = { title_id: title.id, season_number: place.season, episode_number: place.episode }
  let after = ledger.get('progress', key)
  for (const viewing of viewings) {
    if (viewing.row.kind === 'played' || isNowhere(viewing, seconds)) continue
    const newer = !after || viewing.moment.ms > Number(after['updated_at'])
    if (newer && !(viewing.echo && after?.['finished'] === 1)) {
      after = { ...key, plays: after?.['plays'] ?? 0, ...positionOf(viewing, after, seconds) }
    }
  }
  if (!after) return
  const counted = viewings.map(({ row, whole }) => (row.source === 'marquee' || whole ? (row.plays ?? 0) : 0))
  const plays = Math.max(Number(after['plays']), ...counted, playsAt(merge, place).length)
  ledger.put('progress', { ...after, plays })
}

/** A share of a length that nobody knows is no position. */
const isNowhere = ({ row, whole }: Viewing, seconds: number | null) =>
  row.percent !== undefined && !whole && !seconds

function positionOf({ row, moment, whole }: Viewing, before: Row | null, seconds: number | null): Row {
  const updated_at = moment.ms
  if (row.source === 'marquee') {
    const { progress = 0, durationSeconds: duration = 0, finished = false } = row
    return { progress, duration, finished: finished ? 1 : 0, updated_at }
  }
  const duration = seconds ?? 0
  if (whole) return { progress: duration, duration, finished: 1, updated_at }
  const told = row.percent === undefined ? (row.progress ?? 0) : (row.percent / 100) * duration
  const progress = seconds ? Math.min(told, seconds) : told
  const goesOn = before?.['finished'] === 1 && progress >= duration / 2
  return { progress, duration, finished: goesOn ? 1 : 0, updated_at }
}
