/** Site name set by the operator, underlined with a row of dots. */
export function Wordmark() {
  const name = document.querySelector<HTMLMetaElement>('meta[name=site-name]')?.content ?? ''
  return (
    <span className="flex flex-col items-start leading-none text-accent">
      <bdi className="text-lg font-black tracking-tight">{name}</bdi>
      <svg aria-hidden="true" viewBox="0 0 72 4" className="mt-1 h-1 w-full" preserveAspectRatio="none">
        {[4, 20, 36, 52, 68].map((x) => (
          <circle key={x} cx={x} cy="2" r="1.6" fill="currentColor" />
        ))}
      </svg>
    </span>
  )
}
