/**
 * Selects and copies the whole text of a field. Returns false if the browser copies nothing; the text stays selected.
 */
export async function copyText(field: HTMLInputElement | HTMLTextAreaElement): Promise<boolean> {
  field.select()
  try {
    await navigator.clipboard.writeText(field.value)
    return true
  } catch {
    // `navigator.clipboard` is undefined without HTTPS, and may be forbidden. `execCommand` copies the selected text.
    return document.execCommand('copy')
  }
}
