/**
 * Computes which final states some serial order of concurrent writes can produce. A write takes effect between the
 * moment of its first request and the moment of its acknowledgement. Two writes whose intervals overlap may take
 * effect in either order. The network may repeat a write, but every repeated request ends within the interval of its
 * write.
 */

/**
 * `in` adds a title to the watchlist, and `out` removes the title. `state` sets the watch state, `favorite` sets or
 * clears the favourite mark, `rate` sets like or dislike, `progress` reports a position, and `reset` deletes the
 * progress.
 */
export type WriteKind = 'in' | 'out' | 'state' | 'favorite' | 'rate' | 'progress' | 'reset'

export interface TitleWrite {
  titleId: string
  kind: WriteKind
  writtenValue: string
  /** Time of the progress report on its device, in milliseconds. */
  reportedAtMs: number
  deviceIndex: number
  /**
   * `startOrder` is the sequence number of the first request, and `endOrder` is the sequence number of the
   * acknowledgement. Both devices share one sequence.
   */
  startOrder: number
  endOrder: number
}

export interface TitleState {
  watchlist: string
  favorite: string
  feedback: string
  progress: string
}

const WRITE_KINDS_BY_FIELD: Record<keyof TitleState, readonly WriteKind[]> = {
  watchlist: ['in', 'out', 'state', 'favorite'],
  favorite: ['favorite'],
  feedback: ['rate'],
  progress: ['progress', 'reset'],
}
const INITIAL_STATE: TitleState = { watchlist: 'out', favorite: 'false', feedback: 'null', progress: 'none' }

/**
 * Returns every final value that one field of a title's state may have. The writes of each device keep their order, so
 * each serial order is a path through a grid. In the cell `(i, j)`, i writes of the first device and j writes of the
 * second device are done. Paths that reverse two writes without overlap are excluded.
 */
export function findPossibleStates(writes: readonly TitleWrite[], field: keyof TitleState): Set<string> {
  const fieldWrites = writes.filter((write) => WRITE_KINDS_BY_FIELD[field].includes(write.kind))
  const writesByDevice = [0, 1].map((deviceIndex) =>
    fieldWrites
      .filter((write) => write.deviceIndex === deviceIndex)
      .sort((a, b) => a.startOrder - b.startOrder),
  )
  const [firstDeviceWrites = [], secondDeviceWrites = []] = writesByDevice
  const statesByCell = new Map<string, Set<string>>([['0 0', new Set([INITIAL_STATE[field]])]])
  for (let i = 0; i <= firstDeviceWrites.length; i++)
    for (let j = 0; j <= secondDeviceWrites.length; j++) {
      const cellStates = statesByCell.get(`${i} ${j}`)
      if (!cellStates) continue
      const [firstWrite, secondWrite] = [firstDeviceWrites[i], secondDeviceWrites[j]]
      /* If a write was acknowledged before the other write started, the acknowledged write must come first. */
      if (firstWrite && !(secondWrite && secondWrite.endOrder < firstWrite.startOrder))
        applyWrite(statesByCell, `${i + 1} ${j}`, cellStates, firstWrite)
      if (secondWrite && !(firstWrite && firstWrite.endOrder < secondWrite.startOrder))
        applyWrite(statesByCell, `${i} ${j + 1}`, cellStates, secondWrite)
    }
  const finalStates =
    statesByCell.get(`${firstDeviceWrites.length} ${secondDeviceWrites.length}`) ?? new Set()
  return new Set([...finalStates].map((state) => state.split('@')[0] ?? ''))
}

/**
 * Applies the write to each of `states`, the possible states of the current cell, and adds the results to `nextCell`.
 */
function applyWrite(
  statesByCell: Map<string, Set<string>>,
  nextCell: string,
  states: Set<string>,
  write: TitleWrite,
): void {
  const nextStates = statesByCell.get(nextCell) ?? new Set<string>()
  for (const state of states) nextStates.add(computeNextState(state, write))
  statesByCell.set(nextCell, nextStates)
}

/**
 * Returns the state after the write, by a minimal model of the server's rules. Stored progress has the form
 * `writtenValue@reportedAtMs`.
 */
function computeNextState(state: string, { kind, writtenValue, reportedAtMs }: TitleWrite): string {
  if (kind === 'out') return 'out'
  if (kind === 'in' || (kind === 'favorite' && !/^(true|false)$/.test(state)))
    return state === 'out' ? 'planned' : state
  if (kind !== 'progress') return kind === 'reset' ? 'none' : writtenValue
  const [, storedAtMs = '-1'] = state.split('@')
  return reportedAtMs > Number(storedAtMs) ? `${writtenValue}@${reportedAtMs}` : state
}
