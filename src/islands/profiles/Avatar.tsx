/** Avatar image. Its `alt` is empty because the profile name is always next to it. */
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
