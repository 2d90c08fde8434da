/** One of the fifteen drawings; decorative, since the name always stands beside it. */
export function Avatar({ number, className = '' }: { number: number; className?: string }) {
  return (
    <img
      src={`/avatars/${number}.svg`}
      alt=""
      width="96"
      height="96"
      className={`rounded-md object-cover ${className}`}
    />
  )
}
