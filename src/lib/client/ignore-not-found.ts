import { ApiError } from './errors.ts'

/**
 * Waits for a deletion, and ignores the error `not_found` of the API. This error means that the object is deleted
 * already, for example by an earlier attempt whose reply was lost. Throws every other error. This includes a response
 * of a proxy with status 404, which does not show that the object is deleted.
 */
export async function ignoreNotFound(deletion: Promise<unknown>): Promise<void> {
  await deletion.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 404 || error.type !== 'not_found') throw error
  })
}
