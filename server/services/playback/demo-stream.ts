/** Returns the demo clip for a title that plays a demo clip (`hasDemoClip`); null for other titles. */
import type { StreamInfo } from '../../../src/lib/contract/playback.ts'
import { findDemoClip } from '../../providers/demo-clips.ts'
import { getFileExtension } from '../../providers/library/media-types.ts'
import { hasDemoClip } from '../library/availability.ts'
import type { StreamLookup } from './stream-lookup.ts'

export async function findDemoStream({
  deps,
  title,
  query,
  signUrl,
}: StreamLookup): Promise<StreamInfo | null> {
  if (!hasDemoClip(deps, title)) return null
  const clip = findDemoClip(query.type)
  const signClipUrl = (name: string) => signUrl({ source: 'demo', name }, getFileExtension(name))
  return {
    sources: clip.sources.map(({ file, quality, sizeBytes }) => ({
      url: signClipUrl(file),
      mime_type: 'video/mp4',
      quality,
      size: sizeBytes,
      delivery: 'direct' as const,
      reason: 'playable' as const,
    })),
    subtitles: clip.subtitles.map(({ file, lang, label }) => ({ lang, label, url: signClipUrl(file) })),
    credits_at: clip.creditsAtSeconds,
  }
}
