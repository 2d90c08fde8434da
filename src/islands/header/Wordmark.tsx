/** The wordmark: the name of the site, as the build has drawn it (layouts/Wordmark.astro). */
export function Wordmark() {
  return (
    <span
      className="block text-accent"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the build wrote the content of `#wordmark`
      dangerouslySetInnerHTML={{ __html: document.querySelector('#wordmark')?.innerHTML ?? '' }}
    />
  )
}
