/** Selects and copies the whole text of a field. */
export async function copyText(field: HTMLInputElement | HTMLTextAreaElement): Promise<void> {
  field.select()
  /* Without HTTPS, navigator.clipboard is undefined; execCommand still copies the selected text. */
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value)
  else document.execCommand('copy')
}
