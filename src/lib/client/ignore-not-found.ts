import { ApiError } from './errors.ts'

/**
 * Waits for a deletion. Status 404 means that the object is deleted already, for example by an earlier attempt whose
 * reply was lost. Throws any other `ApiError`.
 */
export async function ignoreNotFound(deletion: Promise<unknown>): Promise<void> {
  await deletion.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
  })
}
