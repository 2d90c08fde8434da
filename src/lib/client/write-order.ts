/** Decides which writes must reach the server in the order in which they were made. */
import type { WriteRequest } from './write-request.ts'

/**
 * Returns the keys of the objects that a write changes, or null when it may change any object. Writes to different
 * objects may reach the server in any order.
 */
function listChangedObjectKeys(write: WriteRequest): string[] | null {
  const buildTitleKey = (title: { type: string; media_id: string }) => `${title.type}/${title.media_id}`
  if ('preferences' in write) return [write.kind]
  if ('title' in write) return [`${write.title.type}/${write.title.id}`]
  if (write.kind === 'several') return write.entries.map(buildTitleKey)
  return write.kind === 'mark' ? write.body.scopes.map(buildTitleKey) : null
}

/** Returns whether the server must receive two writes in the order in which they were made. */
export function mustKeepOrder(write: WriteRequest, laterWrite: WriteRequest): boolean {
  const changedObjectKeys = listChangedObjectKeys(write)
  const laterObjectKeys = listChangedObjectKeys(laterWrite)
  return (
    !changedObjectKeys || !laterObjectKeys || changedObjectKeys.some((key) => laterObjectKeys.includes(key))
  )
}

/** Kinds of writes whose data no write of another kind changes. */
const INDEPENDENT_WRITE_KINDS: readonly WriteRequest['kind'][] = ['feedback', 'rating', 'card']

/**
 * Returns whether the result of two writes that are stored under different keys (`buildWriteKey`) depends on their
 * order. The order of two reports of progress does not matter, because the reports contain times.
 */
export const canAffectSameData = (write: WriteRequest, laterWrite: WriteRequest): boolean =>
  mustKeepOrder(write, laterWrite) &&
  ![write, laterWrite].some(({ kind }) => INDEPENDENT_WRITE_KINDS.includes(kind)) &&
  ![write, laterWrite].every(({ kind }) => kind === 'progress')
