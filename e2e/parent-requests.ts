/** Requests with which the parent Alex changes the limits of a child, without the pages of the site. */
import { type APIRequestContext, type APIResponse, expect } from '@playwright/test'
import { findProfile, signInByRequest } from './journey-helpers.ts'

interface ParentSession {
  /** Sends a PUT request as Alex. `path` is below `/api/`. */
  putAsParent: (path: string, body: object) => Promise<APIResponse>
  childId: string
  /** Sets the viewing time of every day; null removes the limit. */
  setViewingMinutes: (minutes: number | null) => Promise<void>
}

/** Signs in as Alex. `device` gets the cookie. Throws if the account has no profile with the name of the child. */
export async function signInAsParent(device: APIRequestContext, childName: string): Promise<ParentSession> {
  const headers = await signInByRequest(device)
  const { profile_id: childId } = await findProfile(device, headers, childName)
  const { profile_id: parentId } = await findProfile(device, headers, 'Alex')
  const putAsParent = (path: string, body: object) =>
    device.put(`/api/${path}`, { headers: { ...headers, 'X-Profile-Id': parentId }, data: body })
  const setViewingMinutes = async (minutes: number | null) => {
    const limits = {
      school_day_minutes: minutes,
      weekend_minutes: minutes,
      quiet_start: null,
      quiet_end: null,
    }
    expect((await putAsParent(`profile/${childId}/viewing-limits`, limits)).ok()).toBe(true)
  }
  return { putAsParent, childId, setViewingMinutes }
}
