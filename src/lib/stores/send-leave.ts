import { callApi } from '../client/call.ts'
import type { ApiError } from '../client/errors.ts'
import { findChosenKidsProfileId } from '../client/exit-lock.ts'
import { leaveProfile } from '../contract/profiles.ts'

/**
 * Tells the server that no profile acts on this device. The request contains the kids profile that was chosen last,
 * because the server may not know of that choice yet. With this profile, the server requires the exit PIN for the other
 * profiles.
 */
export const sendProfileLeave = (): Promise<unknown> =>
  callApi(leaveProfile, { profile: findChosenKidsProfileId() }).catch((error: ApiError) => {
    // The kids profile was deleted or has a PIN.
    if (error.status === 403) return callApi(leaveProfile, { profile: null })
    throw error
  })
