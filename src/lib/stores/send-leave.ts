import { callApi } from '../client/call.ts'
import type { ApiError } from '../client/errors.ts'
import { leaveProfile } from '../contract/profiles.ts'
import { readStorage } from '../storage.ts'
import { ACTING_PROFILE_KEY } from '../storage-keys.ts'

/**
 * Tells the server that no profile acts on this device. The request names the profile that was chosen last, because
 * the server may not know of that choice yet. If the named profile is restricted, the server then requires the exit
 * PIN for the other profiles.
 */
export const sendProfileLeave = (): Promise<unknown> =>
  callApi(leaveProfile, { profile: readStorage('localStorage', ACTING_PROFILE_KEY) }).catch(
    (error: ApiError) => {
      // The profile was deleted or belongs to another account, so the request is sent without it.
      if (error.status === 403) return callApi(leaveProfile, { profile: null })
      throw error
    },
  )
