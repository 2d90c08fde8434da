/** Changes of the history that need the network: removing viewings and changing their dates. Both can be undone. */
import { callApi } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import type { BodyOf } from '../contract/endpoint.ts'
import * as viewingCalls from '../contract/viewings.ts'
import type { TranslationKey } from '../i18n/keys.ts'
import { $profile } from './profile.ts'
import { showToast } from './toast.ts'
import { createEditKey, reloadTracking, undoEdits } from './viewings.ts'

/** Sends a change and offers Undo. Returns false when the server rejected it. */
async function editHistory(
  send: (key: string, params: { id: string }) => Promise<unknown>,
  successKey: TranslationKey,
): Promise<boolean> {
  const profile = $profile.get()
  if (!profile) return false
  const key = createEditKey()
  try {
    await send(key, { id: profile.profile_id })
    showToast(successKey, { undo: () => void undoEdits([{ kind: 'unmark', id: key }]) })
    return true
  } catch (error) {
    const isTaken = error instanceof ApiError && error.status === 422
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
    (key, params) => callApi(viewingCalls.removeViewings, { params, body: { key, ...removal } }),
    'seen:removed',
  )

export const changeViewingDay = (viewing: viewingCalls.ViewingRef, day: string): Promise<boolean> =>
  editHistory(
    (key, params) => callApi(viewingCalls.changeViewingDate, { params, body: { key, viewing, day } }),
    'seen:dateChanged',
  )
