import { callApi } from '../client/call.ts'
import type { ApiError } from '../client/errors.ts'
import { findChosenKidsProfileId } from '../client/exit-lock.ts'
import { leaveProfile } from '../contract/profiles.ts'

/**
 * Tells the server that no profile acts on this device. The request names the kids profile that was chosen last, because
 * the server may not know of that choice yet. It then asks for the exit PIN of the other profiles.
 */
export const sendLeave = (): Promise<unknown> =>
  callApi(leaveProfile, { profile: findChosenKidsProfileId() }).catch((error: ApiError) => {
    // The kids profile was deleted or has a PIN.
    if (error.status === 403) return callApi(leaveProfile, { profile: null })
    throw error
  })
