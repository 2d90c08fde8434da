import { encode } from 'uqr'

/** Cells around the code that a camera needs to find it (ISO 18004: four). */
const QUIET = 4

/** A text as a QR code, dark on light in every theme: cameras want it so. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 0 })
  const path = data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : '')))
    .join('')
  const side = size + 2 * QUIET
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      className="mx-auto size-56 rounded-md bg-white"
    >
      <path d={path} className="fill-black" />
    </svg>
  )
}
