/** Asks the user for a second factor while a call that needs a recent second factor waits. */
import { atom } from 'nanostores'
import { callApi, secondFactorPrompt } from '../client/call.ts'
import type { ApiError } from '../client/errors.ts'
import { confirmSecondFactor } from '../contract/second-factor.ts'

interface SecondFactorRequest {
  /**
   * Ends the request. When the user has confirmed the second factor, the waiting calls are repeated; otherwise they
   * fail.
   */
  finish: (isConfirmed: boolean) => void
}

/** The request that the page displays. All calls that wait at the same time share it. */
export const $secondFactorRequest = atom<SecondFactorRequest | null>(null)
let confirmationPromise: Promise<boolean> | null = null

async function requestSecondFactor(error: ApiError): Promise<boolean> {
  if (error.errors['second_factor']?.[0] !== 'needed') return false
  if (confirmationPromise) return confirmationPromise
  confirmationPromise = new Promise((resolve) => {
    const finishRequest = (isConfirmed: boolean) => {
      confirmationPromise = null
      $secondFactorRequest.set(null)
      resolve(isConfirmed)
    }
    $secondFactorRequest.set({ finish: finishRequest })
  })
  return confirmationPromise
}

/**
 * Lets calls ask for a second factor; the page then displays the request. Returns a function that the page calls when
 * it can no longer display requests: the waiting calls fail, and later calls do not ask for a second factor.
 */
export function displaySecondFactorRequests(): () => void {
  secondFactorPrompt.request = requestSecondFactor
  return () => {
    secondFactorPrompt.request = undefined
    $secondFactorRequest.get()?.finish(false)
  }
}

/** Confirms the second factor of this device. Throws `ApiError`. */
export async function confirmWithCode(code: string): Promise<void> {
  await callApi(confirmSecondFactor, { body: { code } })
  $secondFactorRequest.get()?.finish(true)
}
