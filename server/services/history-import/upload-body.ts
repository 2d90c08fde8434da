/**
 * Reads the body of an upload. After an error, the rest of the body can be read and discarded, so that the client
 * receives the error response.
 */
import { MAX_HISTORY_FILE_BYTES } from '../../../src/lib/contract/history-transfer.ts'
import { throwBodyError } from '../../core/problem.ts'

export interface UploadBody {
  /** The chunks of the body. Ending the iteration early does not close the connection. */
  chunks: AsyncIterable<Uint8Array>
  /**
   * Reads and discards the rest of the body, up to the maximum size of an upload. Call it before an upload is
   * rejected. Otherwise the server closes the connection, and a client that still sends gets a connection error
   * instead of the reason. Never throws.
   */
  discardRest: () => Promise<void>
}

export function openUploadBody(body: ReadableStream<Uint8Array>): UploadBody {
  const reader = body.getReader()
  let readBytes = 0
  const readChunk = async () => {
    const readResult = await reader.read().catch(throwBodyError)
    readBytes += readResult.value?.length ?? 0
    return readResult as IteratorResult<Uint8Array>
  }
  return {
    // The iterator has no `return`, which would cancel the body when a reader ends early. `discardRest` needs the rest.
    chunks: { [Symbol.asyncIterator]: () => ({ next: readChunk }) },
    async discardRest() {
      try {
        while (readBytes <= MAX_HISTORY_FILE_BYTES && !(await readChunk()).done);
        await reader.cancel()
      } catch {
        // The client has closed the connection.
      }
    },
  }
}
