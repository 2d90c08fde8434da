/** Responses to the requests that the boot script sent before this code was loaded. Each response can be taken once. */

/** Returns the response to POST /api/auth/refresh; undefined if there is none. */
export function takeBootRefreshResponse(): Promise<Response> | undefined {
  const bootData = globalThis.__boot
  const response = bootData?.refreshResponse
  delete bootData?.refreshResponse
  return response
}

/** Returns the response to a read that the boot script sent; undefined if there is none. */
export function takeBootReadResponse(url: string): Promise<Response> | undefined {
  const readResponsesByUrl = globalThis.__boot?.reads
  const response = readResponsesByUrl?.[url]
  delete readResponsesByUrl?.[url]
  return response
}

/**
 * Discards the responses to the reads of the boot script, and the titles that the boot script has drawn on the home
 * page. Called when a profile session starts.
 */
export function discardBootReads(): void {
  const bootData = globalThis.__boot
  if (!bootData) return
  bootData.reads = {}
  delete bootData.heroTitles
  delete bootData.firstRow
}
