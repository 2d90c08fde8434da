import type { Context } from 'hono'
import { accepts } from 'hono/accepts'

/**
 * Returns the first of `encodings` that the client accepts, or null to send the content uncompressed. A client accepts
 * an encoding that it names, or that `*` covers, with a weight above 0 (RFC 9110 §12.5.3). A client that accepts none
 * of the encodings gets uncompressed content, even if it rejects `identity`.
 */
export function chooseEncoding<Encoding extends string>(
  c: Context,
  encodings: readonly Encoding[],
): Encoding | null {
  const acceptedEncoding = accepts(c, {
    header: 'Accept-Encoding',
    supports: [...encodings],
    default: 'identity',
    match: (acceptedTypes, { supports, default: identity }) => {
      const findWeight = (name: string) => acceptedTypes.find(({ type }) => type.toLowerCase() === name)?.q
      return supports.find((encoding) => (findWeight(encoding) ?? findWeight('*') ?? 0) > 0) ?? identity
    },
  })
  return encodings.find((encoding) => encoding === acceptedEncoding) ?? null
}
