/** What a converted stream contains, as a short text inside its signed URL. */
export interface ConversionPlan {
  /** Maximum height in pixels; null when the video is copied. */
  maxHeight: number | null
  /** Index of the audio track in the file; null without sound. */
  audioIndex: number | null
  isAudioCopied: boolean
}

export function formatConversionPlan({ maxHeight, audioIndex, isAudioCopied }: ConversionPlan): string {
  return [maxHeight ?? 'copy', audioIndex ?? 'none', isAudioCopied ? 'copy' : 'aac'].join(' ')
}

/** The inverse of `formatConversionPlan`; null for any other text. */
export function parseConversionPlan(text: string | undefined): ConversionPlan | null {
  const match = /^(copy|\d{2,4}) (none|\d{1,3}) (copy|aac)$/.exec(text ?? '')
  if (!match) return null
  const [, height, audio, sound] = match
  return {
    maxHeight: height === 'copy' ? null : Number(height),
    audioIndex: audio === 'none' ? null : Number(audio),
    isAudioCopied: sound === 'copy',
  }
}
