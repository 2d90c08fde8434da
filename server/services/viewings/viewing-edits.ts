/**
 * Changes viewings at the request of the user. Each edit is one transaction and is applied only once per key.
 * The edit stores the rows before and after the change, so that Undo restores exactly what the edit changed.
 */
import type { ViewingRef, ViewingScope } from '../../../src/lib/contract/viewings.ts'
import { normaliseNote } from '../../../src/lib/rules/viewing-note.ts'
import { DAY_MS } from '../../core/dates.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import { BIN_RETENTION_MS } from '../../queries/bin.ts'
import { lockProgress } from '../../queries/progress.ts'
import { selectTitlesByIds, type TitleType } from '../../queries/title.ts'
import { selectEpisodesOfTitles } from '../../queries/title-details.ts'
import {
  getTrackingRowKey,
  serialiseTrackingRow,
  type TrackingRow,
  type TrackingRowKind,
} from '../../queries/tracking-row.ts'
import {
  hasLaterViewingEdit,
  insertViewingEdit,
  markViewingEditUndone,
  selectViewingEdit,
  selectViewingEditChanges,
} from '../../queries/viewing-edit.ts'
import { getViewerDate } from '../auth/caller.ts'
import { sha256 } from '../auth/secret.ts'
import { parseId } from '../catalogue/titles.ts'
import type { ProfileContext } from '../context.ts'
import { publishAccountEvent } from '../events/account-events.ts'
import { loadChangeSet, writeChangeSet } from '../history-import/change-set-storage.ts'
import type { TrackingChangeSet, TrackingRowChange } from '../history-import/tracking-change-set.ts'
import { createEventLoopYield } from '../history-import/yield-to-event-loop.ts'
import {
  listRemovedEpisodes,
  moveViewingToTime,
  removeEpisodes,
  removeViewing,
  requireViewing,
  setViewingNote,
} from './change-viewings.ts'
import { listMoviesOrEpisodes, markTitle, parseMarkTime } from './mark-title.ts'
import type { TrackedTitle } from './series-completion.ts'

type ViewingEditKind = 'mark' | 'remove' | 'date' | 'note'
interface ViewingEditReply {
  key: string
  /** Number of viewings that were added, removed or changed. */
  viewings: number
}

/**
 * Time during which a mark, a change of a date or a change of a note can be undone. A removal can be undone
 * while it is in the bin.
 */
const UNDO_PERIOD_MS = DAY_MS

interface MarkSeenRequest {
  key: string
  scopes: ViewingScope[]
  date: 'now' | 'release' | 'chosen'
  at?: string | undefined
  day?: string | undefined
  sent_at?: string | undefined
  again: boolean
}

/**
 * Marks everything in the scopes as seen. Throws 404 when the caller may not see one of the titles, and 422 for an
 * invalid time or scope. After an error, nothing is marked.
 */
export async function markSeen(context: ProfileContext, request: MarkSeenRequest): Promise<ViewingEditReply> {
  const markTime = parseMarkTime(request, context.deps.now())
  return runViewingEdit(context, { kind: 'mark', request, targets: request.scopes }, (trackedTitle, scope) =>
    markTitle(trackedTitle, listMoviesOrEpisodes(trackedTitle, scope), { ...request, time: markTime }),
  )
}

interface ViewingRemovalRequest {
  key: string
  viewings?: ViewingRef[] | undefined
  scopes?: ViewingScope[] | undefined
}

/**
 * Removes the given viewings, and all viewings and the progress of the movies and episodes in the scopes.
 * Throws 422 when neither viewings nor scopes are given, or when a scope is invalid. Throws 404 when the caller may not
 * see one of the titles, or when one of the viewings does not exist. After an error, nothing is removed.
 */
export async function removeViewings(
  context: ProfileContext,
  request: ViewingRemovalRequest,
): Promise<ViewingEditReply> {
  const { viewings = [], scopes = [] } = request
  if (viewings.length + scopes.length === 0) throw createFieldProblem('viewings', 'needed')
  return runViewingEdit(
    context,
    { kind: 'remove', request, targets: [...viewings, ...scopes] },
    (trackedTitle, target) => {
      if ('scope' in target) return removeEpisodes(trackedTitle, listRemovedEpisodes(trackedTitle, target))
      removeViewing(trackedTitle, requireViewing(trackedTitle, target))
      return 1
    },
  )
}

interface ViewingDateRequest {
  key: string
  viewing: ViewingRef
  at?: string | undefined
  day?: string | undefined
}

export async function changeViewingDate(
  context: ProfileContext,
  request: ViewingDateRequest,
): Promise<ViewingEditReply> {
  const { viewing, at, day } = request
  const markTime = parseMarkTime({ date: 'chosen', at, day }, context.deps.now())
  return runViewingEdit(context, { kind: 'date', request, targets: [viewing] }, (trackedTitle, target) => {
    moveViewingToTime(trackedTitle, requireViewing(trackedTitle, target), markTime)
    return 1
  })
}

interface ViewingNoteRequest {
  key: string
  viewing: ViewingRef
  /** Null removes the note. */
  note: string | null
}

export async function changeViewingNote(
  context: ProfileContext,
  request: ViewingNoteRequest,
): Promise<ViewingEditReply> {
  const { viewing, note } = request
  const noteText = note === null ? null : normaliseNote(note) || null
  return runViewingEdit(context, { kind: 'note', request, targets: [viewing] }, (trackedTitle, target) =>
    Number(setViewingNote(trackedTitle, requireViewing(trackedTitle, target), noteText)),
  )
}

interface ViewingEditRequest<Target> {
  kind: ViewingEditKind
  request: { key: string; sent_at?: string | undefined; password?: string | undefined }
  /** The viewings and scopes that the edit changes. */
  targets: readonly Target[]
}

/**
 * Returns a hash of what a request changes. The hash leaves out `sent_at` and `password`, because a client may send the
 * same change again with other values of these fields.
 */
function hashEditRequest({ kind, request }: ViewingEditRequest<unknown>): string {
  const { sent_at: _sentAt, password: _password, ...change } = request
  return sha256(JSON.stringify([kind, change]))
}

interface ViewingEditTarget {
  type: TitleType
  media_id: string
}

/**
 * Applies `applyEdit` to each target in one transaction and stores the edit. If the same request was sent before,
 * changes nothing and returns the stored reply. Throws 422 when another request has used the key.
 */
async function runViewingEdit<Target extends ViewingEditTarget>(
  context: ProfileContext,
  editRequest: ViewingEditRequest<Target>,
  applyEdit: (trackedTitle: TrackedTitle, target: Target) => number,
): Promise<ViewingEditReply> {
  const { deps, caller } = context
  const { kind, targets } = editRequest
  const { key } = editRequest.request
  const requestHash = hashEditRequest(editRequest)
  const profileId = caller.profile.profile_id
  const nowMs = deps.now()
  const today = getViewerDate(caller, nowMs)
  const { titles: titlesById, episodes: episodesByTitleId } = await loadTitles(context, targets)
  const reply = await deps.database.primary.transaction().execute(async (trx) => {
    await lockProgress(trx, profileId)
    const storedEdit = await selectViewingEdit(trx, { profileId, key })
    if (storedEdit) {
      if ((storedEdit.request_hash ?? requestHash) !== requestHash) throw createFieldProblem('key', 'reused')
      return { key, viewings: storedEdit.viewings }
    }
    const changeSet = await loadChangeSet(trx, profileId, [...titlesById.keys()])
    let viewingCount = 0
    for (const target of targets) {
      const title = titlesById.get(parseId(target.media_id))
      if (!title || title.type !== target.type) throw new Problem('not_found')
      viewingCount += applyEdit(
        { title, episodes: episodesByTitleId.get(title.title_id) ?? [], changeSet, nowMs, today },
        target,
      )
    }
    await writeChangesAndEdit(
      trx,
      {
        profile_id: profileId,
        edit_key: key,
        kind,
        viewings: viewingCount,
        created_at: nowMs,
        request_hash: requestHash,
      },
      changeSet,
    )
    return { key, viewings: viewingCount }
  })
  publishTrackingEvents(context)
  return reply
}

async function loadTitles({ deps, caller }: ProfileContext, targets: readonly ViewingEditTarget[]) {
  const titleIds = [...new Set(targets.map((target) => parseId(target.media_id)))]
  const rows = await selectTitlesByIds(deps.database.reader, caller.audience, titleIds)
  const seriesIds = rows.filter((row) => row.type === 'tv').map((row) => row.title_id)
  const episodes = await selectEpisodesOfTitles(deps.database.reader, seriesIds)
  return {
    titles: new Map(rows.map((row) => [row.title_id, row])),
    episodes: Map.groupBy(episodes, (episode) => episode.title_id),
  }
}

type NewViewingEdit = Parameters<typeof insertViewingEdit>[1]

async function writeChangesAndEdit(
  trx: Db,
  edit: NewViewingEdit,
  changeSet: TrackingChangeSet,
): Promise<void> {
  const changes = changeSet.listChanges()
  await writeChangeSet(trx, edit.profile_id, { changes, yieldToEventLoop: createEventLoopYield() })
  await insertViewingEdit(trx, edit, changes.map(toStoredChange))
}

const toStoredChange = ({ kind, before: rowBefore, after: rowAfter }: TrackingRowChange, index: number) => ({
  seq: index + 1,
  kind,
  row_key: getTrackingRowKey(kind, (rowAfter ?? rowBefore) as TrackingRow),
  title_id: Number(((rowAfter ?? rowBefore) as TrackingRow)['title_id']),
  before: rowBefore && serialiseTrackingRow(kind, rowBefore),
  after: rowAfter ? serialiseTrackingRow(kind, rowAfter) : '',
})

function publishTrackingEvents(context: ProfileContext): void {
  publishAccountEvent(context, 'progress')
  publishAccountEvent(context, 'list')
}

/**
 * True if the undo of the edit needs the proof `adult` (src/lib/contract/endpoint.ts). The undo of a mark or of a note
 * needs no proof. Also true for an unknown key.
 */
export async function needsProofToUndo({ deps, caller }: ProfileContext, key: string): Promise<boolean> {
  const edit = await selectViewingEdit(deps.database.primary, { profileId: caller.profile.profile_id, key })
  return edit?.kind !== 'mark' && edit?.kind !== 'note'
}

/**
 * Undoes an edit. If the edit is already undone, changes nothing. Throws 404 when the profile has no edit with
 * this key, when the edit is too old to be undone, or when the caller may not see one of its titles. Throws 409 when
 * a row of the edit was changed later. After an error, nothing is undone.
 */
export async function undoViewingEdit(context: ProfileContext, key: string): Promise<void> {
  const { deps, caller } = context
  const editKey = { profileId: caller.profile.profile_id, key }
  const nowMs = deps.now()
  await deps.database.primary.transaction().execute(async (trx) => {
    await lockProgress(trx, editKey.profileId)
    const edit = await selectViewingEdit(trx, editKey)
    if (!edit || edit.created_at < nowMs - (edit.kind === 'remove' ? BIN_RETENTION_MS : UNDO_PERIOD_MS))
      throw new Problem('not_found')
    if (edit.undone_at !== null) return
    if (await hasLaterViewingEdit(trx, edit)) throw new Problem('conflict')
    const changes = await selectViewingEditChanges(trx, edit.edit_id)
    const titleIds = [...new Set(changes.map((change) => change.title_id))]
    const visibleTitles = await selectTitlesByIds(trx, caller.audience, titleIds)
    if (visibleTitles.length < titleIds.length) throw new Problem('not_found')
    const changeSet = await loadChangeSet(trx, editKey.profileId, titleIds)
    for (const change of changes) revertChange(changeSet, change)
    await writeChangeSet(trx, editKey.profileId, {
      changes: changeSet.listChanges(),
      yieldToEventLoop: createEventLoopYield(),
    })
    await markViewingEditUndone(trx, edit.edit_id, nowMs)
  })
  publishTrackingEvents(context)
}

function revertChange(
  changeSet: TrackingChangeSet,
  change: { kind: string; before: string | null; after: string },
): void {
  const kind = change.kind as TrackingRowKind
  const rowBefore = change.before === null ? null : (JSON.parse(change.before) as TrackingRow)
  const rowAfter = change.after === '' ? null : (JSON.parse(change.after) as TrackingRow)
  const changedRow = (rowAfter ?? rowBefore) as TrackingRow
  const currentRow = changeSet.get(kind, changedRow)
  if (kind === 'list') {
    if (
      currentRow?.['in_watchlist'] !== rowAfter?.['in_watchlist'] ||
      currentRow?.['state'] !== rowAfter?.['state']
    )
      throw new Problem('conflict')
    // Keep the current favourite mark, because the edit did not change it.
    if (rowBefore) changeSet.set(kind, { ...rowBefore, favorite: currentRow?.['favorite'] ?? 0 })
    return
  }
  if (
    (currentRow && serialiseTrackingRow(kind, currentRow)) !==
    (rowAfter && serialiseTrackingRow(kind, rowAfter))
  )
    throw new Problem('conflict')
  if (rowBefore) changeSet.set(kind, rowBefore)
  else changeSet.delete(kind, changedRow)
}
