/** History changes that need the network: removing viewings, and changing their dates and notes. All changes can be undone. */
import { callApi } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import type { BodyOf } from '../contract/endpoint.ts'
import * as viewingCalls from '../contract/viewings.ts'
import type { TranslationKey } from '../i18n/keys.ts'
import { $profile } from './profile.ts'
import { showToast } from './toast.ts'
import { createEditKey, reloadTracking, undoEdits } from './viewings.ts'

type SendEdit = (key: string, params: { id: string }) => Promise<unknown>

/** Sends changes one after another and offers one Undo for all of them. Returns false when the server rejected a change. */
async function editHistory(sendEdits: readonly SendEdit[], successKey: TranslationKey): Promise<boolean> {
  const profile = $profile.get()
  if (!profile) return false
  const edits: { kind: 'unmark'; id: string }[] = []
  try {
    for (const sendEdit of sendEdits) {
      const key = createEditKey()
      await sendEdit(key, { id: profile.profile_id })
      edits.push({ kind: 'unmark', id: key })
    }
    showToast(successKey, { undo: () => void undoEdits(edits) })
    return true
  } catch (error) {
    const isTaken = error instanceof ApiError && error.errors['day'] !== undefined
    showToast(isTaken ? 'seen:dateRefused' : 'errors:failed', { kind: 'bad' })
    return false
  } finally {
    reloadTracking()
  }
}

type Removal = Omit<BodyOf<typeof viewingCalls.removeViewings>, 'key' | 'password'>

/** Removes viewings, or everything in the scopes, from the history. */
export const removeFromHistory = (removal: Removal): Promise<boolean> =>
  editHistory(
    [(key, params) => callApi(viewingCalls.removeViewings, { params, body: { key, ...removal } })],
    'seen:removed',
  )

export interface ViewingChanges {
  /** `YYYY-MM-DD` */
  day?: string
  /** Empty to remove the note. */
  note?: string
}

/** Changes the day and the note of a viewing. The note is sent first, because the viewing is identified by its day. */
export async function changeViewing(
  viewing: viewingCalls.ViewingRef,
  { day, note }: ViewingChanges,
): Promise<boolean> {
  const sendEdits: SendEdit[] = []
  if (note !== undefined)
    sendEdits.push((key, params) =>
      callApi(viewingCalls.changeViewingNote, { params, body: { key, viewing, note: note || null } }),
    )
  if (day !== undefined)
    sendEdits.push((key, params) =>
      callApi(viewingCalls.changeViewingDate, { params, body: { key, viewing, day } }),
    )
  if (sendEdits.length === 0) return true
  return editHistory(sendEdits, getSuccessKey({ day, note }))
}

function getSuccessKey({ day, note }: { [Key in keyof ViewingChanges]: string | undefined }): TranslationKey {
  if (note === undefined) return 'seen:dateChanged'
  if (day !== undefined) return 'history:saved'
  return note ? 'history:noteSaved' : 'history:noteRemoved'
}
