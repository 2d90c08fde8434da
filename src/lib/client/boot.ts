/** Responses to the requests that the boot script sent before this code was loaded. Each response can be taken once. */

/** Returns the response to POST /api/auth/refresh. */
export function takeBootRefresh(): Promise<Response> | undefined {
  const boot = globalThis.__boot
  const response = boot?.refreshResponse
  delete boot?.refreshResponse
  return response
}

/** Returns the response to a read that the boot script sent. */
export function takeBootRead(url: string): Promise<Response> | undefined {
  const readResponsesByUrl = globalThis.__boot?.reads
  const response = readResponsesByUrl?.[url]
  delete readResponsesByUrl?.[url]
  return response
}

/**
 * Discards the reads of the boot script, and the home page content that the boot script drew, when another profile is
 * selected.
 */
export function discardBootReads(): void {
  const boot = globalThis.__boot
  if (!boot) return
  boot.reads = {}
  delete boot.heroTitles
  delete boot.firstRow
}
