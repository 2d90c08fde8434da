/** Escapes a text, so that it can be inserted into the content or an attribute of HTML, XML and SVG. */
export function escapeMarkup(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
