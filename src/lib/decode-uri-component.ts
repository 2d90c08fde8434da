/** Decodes a part of a URL. Returns the part unchanged when it contains an invalid escape, such as a single `%`. */
export function decodeUriComponentSafely(uriComponent: string): string {
  try {
    return decodeURIComponent(uriComponent)
  } catch {
    return uriComponent
  }
}
