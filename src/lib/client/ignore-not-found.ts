import { ApiError } from './errors.ts'

/**
 * Waits for a deletion. The error `not_found` means that the object is deleted already, for example by an earlier
 * attempt whose reply was lost. Throws any other `ApiError`. A response of a proxy with status 404 is such an error
 * too, because it does not show that the object is deleted.
 */
export async function ignoreNotFound(deletion: Promise<unknown>): Promise<void> {
  await deletion.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 404 || error.type !== 'not_found') throw error
  })
}
