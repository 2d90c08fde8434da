import { encode } from 'uqr'

/** Width of the quiet zone in modules; ISO/IEC 18004 requires four. */
const QUIET_ZONE_MODULES = 4

/** QR code of a text. It is dark on light in every theme, because scanners expect these colours. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const { data: moduleRows, size: sizeModules } = encode(text, { border: 0 })
  const pathData = moduleRows
    .flatMap((row, y) =>
      row.map((isDark, x) => (isDark ? `M${x + QUIET_ZONE_MODULES} ${y + QUIET_ZONE_MODULES}h1v1h-1z` : '')),
    )
    .join('')
  const sideModules = sizeModules + 2 * QUIET_ZONE_MODULES
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${sideModules} ${sideModules}`}
      shapeRendering="crispEdges"
      className="mx-auto size-56 rounded-md bg-white"
    >
      <path d={pathData} className="fill-black" />
    </svg>
  )
}
