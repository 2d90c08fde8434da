/**
 * Signs and verifies media URLs (security.md, decision 8):
 * `/proxy/m/{title}/{file}?e=expiry&l=login&p=profile&g=generation&s=signature`.
 * `file` is encrypted, so that file names and paths of the operator never leave the server.
 */
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { NONCE_BYTES, TAG_BYTES } from '../auth/aes-gcm.ts'
import { hmacSha256, timingSafeEqualText } from '../auth/secret.ts'
import type { Deps } from '../deps.ts'

const MIN_URL_LIFETIME_MS = 4 * 3_600_000
const MAX_URL_LIFETIME_MS = 12 * 3_600_000

/**
 * Returns the lifetime of the signed URLs of a title. The player requests new URLs when they have expired.
 * A cast device that plays a URL cannot request a new URL, so the lifetime is twice the runtime of the title,
 * within MIN_URL_LIFETIME_MS and MAX_URL_LIFETIME_MS.
 */
export const getSignedUrlLifetimeMs = (runtimeSeconds: number | null) =>
  Math.min(MAX_URL_LIFETIME_MS, Math.max(MIN_URL_LIFETIME_MS, (runtimeSeconds ?? 0) * 2_000))

/**
 * Location of a media file. `name` is a path in the media folder, the file name of a demo clip, a URL of a stream
 * resolver or media server (source `upstream`), or the name of a folder of thumbnails.
 */
export interface MediaLocation {
  source: 'library' | 'upstream' | 'demo' | 'conversion' | 'embedded-subtitle' | 'thumbnails'
  name: string
  /**
   * Folder that must contain the parts of an HLS stream. For the source `upstream`: the id of the resolver or media
   * server, and the request headers (upstream-request.ts).
   */
  base?: string
  /**
   * For the source `upstream`: the content type.
   * For a subtitle file: the language, from which a legacy encoding is guessed, and for MicroDVD also the frame rate.
   * For a conversion: the plan.
   * For an embedded subtitle: the index of the track.
   */
  hint?: string
  /** For a subtitle of the source `upstream`: the language, from which a legacy encoding is guessed. */
  lang?: string
}
export interface MediaClaim {
  location: MediaLocation
  titleId: number
  expiresAtMs: number
  sid: string
  /** Id of the acting profile of the request that created the URL; null when no profile was acting. */
  profileId: string | null
  /**
   * `pin_generation` of the profile `profileId` when the URL was created. The URL becomes invalid when the PIN of the
   * profile changes.
   */
  pinGeneration: number
}

const deriveKey = (deps: Deps, keyPurpose: string) =>
  createHmac('sha256', deps.keys.media).update(keyPurpose).digest()

/**
 * Encrypts a location. The nonce is derived from the text, so that the same location always has the same URL
 * path. A player can then recognise a source after its URL was renewed.
 */
function encryptLocation(deps: Deps, { source, name, base, hint, lang }: MediaLocation): string {
  const plaintext = JSON.stringify([
    source,
    name,
    base ?? null,
    hint ?? null,
    ...(lang === undefined ? [] : [lang]),
  ])
  const nonce = createHmac('sha256', deriveKey(deps, 'nonce'))
    .update(plaintext)
    .digest()
    .subarray(0, NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(deps, 'seal'), nonce)
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]).toString('base64url')
}

function decryptLocation(deps: Deps, encryptedText: string): MediaLocation | null {
  const bytes = Buffer.from(encryptedText, 'base64url')
  if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== encryptedText) return null
  try {
    const decipher = createDecipheriv(
      'aes-256-gcm',
      deriveKey(deps, 'seal'),
      bytes.subarray(0, NONCE_BYTES),
      {
        authTagLength: TAG_BYTES,
      },
    )
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const plaintext = Buffer.concat([
      decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)),
      decipher.final(),
    ])
    const [source, name, base, hint, lang] = JSON.parse(plaintext.toString('utf8'))
    return {
      source,
      name,
      ...(base !== null && { base }),
      ...(hint !== null && { hint }),
      ...(lang !== undefined && { lang }),
    }
  } catch {
    return null
  }
}

type SignedUrlFields = Pick<MediaClaim, 'expiresAtMs' | 'sid' | 'profileId' | 'pinGeneration'>

const signPath = (deps: Deps, urlPath: string, signedFields: SignedUrlFields) => {
  const { expiresAtMs, sid, profileId, pinGeneration } = signedFields
  return hmacSha256(
    deps.keys.media,
    'media',
    'GET',
    urlPath,
    expiresAtMs,
    sid,
    profileId ?? '',
    pinGeneration,
  )
}

const parseSignedFields = ({
  expiryText,
  sid,
  profileIdText,
  generationText,
}: Record<'expiryText' | 'sid' | 'profileIdText' | 'generationText', string>): SignedUrlFields => ({
  expiresAtMs: Number(expiryText),
  sid,
  profileId: profileIdText || null,
  pinGeneration: Number(generationText),
})

/** True if the signature of the path and these fields is correct and has not expired. */
const isSignatureValid = (
  deps: Deps,
  urlPath: string,
  signedFields: SignedUrlFields,
  signature: string,
): boolean =>
  timingSafeEqualText(signature, signPath(deps, urlPath, signedFields)) &&
  signedFields.expiresAtMs > deps.now()

/**
 * Returns the signed URL that contains a claim. `extension` is part of the signed path, because some players need a
 * file extension.
 */
export function signMediaUrl(deps: Deps, claim: MediaClaim, extension: string): string {
  const urlPath = `/proxy/m/${claim.titleId}/${encryptLocation(deps, claim.location)}.${extension}`
  const query = new URLSearchParams({
    e: String(claim.expiresAtMs),
    l: claim.sid,
    p: claim.profileId ?? '',
    g: String(claim.pinGeneration),
    s: signPath(deps, urlPath, claim),
  })
  return `${urlPath}?${query}`
}

const MEDIA_URL_PATTERN = /^\/proxy\/m\/(\d{1,15})\/([\w-]{20,12000})\.[a-z\d]{2,4}$/

/**
 * Returns the claim of a URL that has a valid signature and has not expired; otherwise null. `urlPath` is the
 * path as sent, without percent-decoding.
 */
export function verifyMediaUrl(
  deps: Deps,
  urlPath: string,
  query: Record<string, string>,
): MediaClaim | null {
  const match = MEDIA_URL_PATTERN.exec(urlPath)
  const {
    e: expiryText = '',
    l: sid = '',
    p: profileIdText = '',
    g: generationText = '',
    s: signature = '',
  } = query
  if (!match || !/^\d{1,15}$/.test(expiryText) || !/^\d{1,9}$/.test(generationText)) return null
  const [, titleId, encryptedLocation = ''] = match
  const signedFields = parseSignedFields({ expiryText, sid, profileIdText, generationText })
  if (!isSignatureValid(deps, urlPath, signedFields, signature)) return null
  const location = decryptLocation(deps, encryptedLocation)
  return location && { location, titleId: Number(titleId), ...signedFields }
}

/**
 * Returns the signed URL of the folder of a converted stream, of thumbnails, or of an embedded subtitle in its own
 * format. The URL ends with a slash. The claim is part of the path, so that a playlist can use short relative URLs for
 * its thousands of segments.
 */
export function signStreamFolder(deps: Deps, claim: MediaClaim): string {
  const { expiresAtMs, sid, profileId, pinGeneration } = claim
  const path = `/proxy/hls/${claim.titleId}/${encryptLocation(deps, claim.location)}`
  const signature = signPath(deps, path, claim)
  return `${path}/${[expiresAtMs, pinGeneration, sid, profileId ?? '', signature].join('.')}/`
}

const STREAM_PATH_PATTERN =
  /^(\/proxy\/hls\/(\d{1,15})\/([\w-]{20,12000}))\/(\d{1,15})\.(\d{1,9})\.([\w-]{1,64})\.([\w-]{0,64})\.([\w-]{20,100})\/([\w-]{1,20}\.[a-z\d]{3,4})$/

/**
 * Returns the claim of a URL below a folder of `signStreamFolder`, and the name of the file in the folder.
 * Returns null when the signature is invalid or the URL has expired.
 */
export function verifyStreamUrl(deps: Deps, path: string): { claim: MediaClaim; file: string } | null {
  const match = STREAM_PATH_PATTERN.exec(path)
  if (!match) return null
  const [
    ,
    folderPath = '',
    titleId,
    encryptedLocation = '',
    expiryText = '',
    generationText = '',
    sid = '',
    profileIdText = '',
    signature = '',
    fileName = '',
  ] = match
  const signedFields = parseSignedFields({ expiryText, sid, profileIdText, generationText })
  if (!isSignatureValid(deps, folderPath, signedFields, signature)) return null
  const location = decryptLocation(deps, encryptedLocation)
  return location && { claim: { location, titleId: Number(titleId), ...signedFields }, file: fileName }
}
