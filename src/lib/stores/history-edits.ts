/** History changes that need the network: removing viewings, and changing their dates and notes. All can be undone. */
import { callApi } from '../client/call.ts'
import { createEditKey } from '../client/edit-key.ts'
import { ApiError } from '../client/errors.ts'
import type { BodyOf } from '../contract/endpoint.ts'
import * as viewingCalls from '../contract/viewings.ts'
import type { TranslationKey } from '../i18n/keys.ts'
import { $profile } from './profile.ts'
import { shareRunningCall } from './share-running-call.ts'
import { getFailureKey, showToast } from './toast.ts'
import { refetchViewingData, undoEdits } from './viewings.ts'

type SendEdit = (editKey: string, params: { id: string }) => Promise<unknown>

/**
 * Sends changes one after another and offers one Undo for all of them. When a change fails, undoes the previous
 * changes and returns false. With `ignoresNotFound`, no message is shown for a failure with status 404.
 */
async function sendHistoryEdits(
  sendEditFunctions: readonly SendEdit[],
  successKey: TranslationKey,
  { ignoresNotFound = false } = {},
): Promise<boolean> {
  const profile = $profile.get()
  if (!profile) return false
  const undoableEdits: { kind: 'unmark'; id: string }[] = []
  try {
    for (const sendEdit of sendEditFunctions) {
      const editKey = createEditKey()
      await sendEdit(editKey, { id: profile.profile_id })
      undoableEdits.push({ kind: 'unmark', id: editKey })
    }
    showToast(successKey, { undo: () => void undoEdits(undoableEdits) })
    refetchViewingData()
    return true
  } catch (error) {
    await undoEdits(undoableEdits)
    const isDateRejected = error instanceof ApiError && error.errors['day'] !== undefined
    // Status 404: the viewing was removed meanwhile, and the reload has removed it from the page. An error message
    // would replace the message of that removal and its Undo button.
    const isRemovedAlready = ignoresNotFound && error instanceof ApiError && error.status === 404
    if (!isRemovedAlready)
      showToast(isDateRejected ? 'seen:dateRejected' : getFailureKey(error), { kind: 'bad' })
    return false
  }
}

type ViewingRemoval = Omit<BodyOf<typeof viewingCalls.removeViewings>, 'key' | 'password'>

/** Removes the given viewings, or all viewings of the titles, seasons or episodes in `scopes`, from the history. */
export const removeFromHistory = shareRunningCall(
  (removal: ViewingRemoval): Promise<boolean> =>
    sendHistoryEdits(
      [(key, params) => callApi(viewingCalls.removeViewings, { params, body: { key, ...removal } })],
      'seen:removed',
      { ignoresNotFound: removal.viewings !== undefined },
    ),
)

export interface ViewingChanges {
  /** New date of the viewing, `YYYY-MM-DD`. */
  day?: string
  /** New note. An empty text removes the note. */
  note?: string
}

/**
 * Changes the day of a viewing, its note, or both. The note is sent first, because `viewing` identifies the viewing by
 * its old date. Returns false when a change failed.
 */
export async function changeViewing(
  viewing: viewingCalls.ViewingRef,
  { day, note }: ViewingChanges,
): Promise<boolean> {
  const sendEditFunctions: SendEdit[] = []
  if (note !== undefined)
    sendEditFunctions.push((key, params) =>
      callApi(viewingCalls.changeViewingNote, { params, body: { key, viewing, note: note || null } }),
    )
  if (day !== undefined)
    sendEditFunctions.push((key, params) =>
      callApi(viewingCalls.changeViewingDate, { params, body: { key, viewing, day } }),
    )
  if (sendEditFunctions.length === 0) return true
  return sendHistoryEdits(sendEditFunctions, getSuccessMessageKey({ day, note }))
}

function getSuccessMessageKey({
  day,
  note,
}: { [Key in keyof ViewingChanges]: string | undefined }): TranslationKey {
  if (note === undefined) return 'seen:dateChanged'
  if (day !== undefined) return 'history:saved'
  return note ? 'history:noteSaved' : 'history:noteRemoved'
}
