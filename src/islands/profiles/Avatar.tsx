/** Avatar image. Its `alt` is empty, because a text or an `aria-label` beside it names the profile or the avatar. */
export function Avatar({ avatarNumber, className = '' }: { avatarNumber: number; className?: string }) {
  return (
    <img
      src={`/avatars/${avatarNumber}.svg`}
      alt=""
      width="96"
      height="96"
      className={`rounded-md object-cover ${className}`}
    />
  )
}
