/** A module bundled with its imports into one classic script, as text (scripts/bundle-script.ts). */
declare module '*?inline-script' {
  const code: string
  export default code
}
