/** What a converted stream contains. The signed URL of the stream includes the plan as a short text. */
export interface ConversionPlan {
  /** Maximum height in pixels; null when the video is copied. */
  maxHeight: number | null
  /** Index of the audio track in the file; null for a stream without sound. */
  audioIndex: number | null
  isAudioCopied: boolean
  /**
   * Index of the picture subtitle that is drawn into the video; null for none. Always null for copied video.
   */
  burntInSubtitle: number | null
}

export function formatConversionPlan(plan: ConversionPlan): string {
  const { maxHeight, audioIndex, isAudioCopied, burntInSubtitle } = plan
  const sound = isAudioCopied ? 'copy' : 'aac'
  return [
    maxHeight ?? 'copy',
    audioIndex ?? 'none',
    sound,
    ...(burntInSubtitle === null ? [] : [burntInSubtitle]),
  ].join(' ')
}

/** Parses a text of `formatConversionPlan`. Returns null for any other text. */
export function parseConversionPlan(text: string | undefined): ConversionPlan | null {
  const match = /^(copy|\d{2,4}) (none|\d{1,3}) (copy|aac)(?: (\d{1,3}))?$/.exec(text ?? '')
  if (!match) return null
  const [, height, audio, sound, subtitle] = match
  if (height === 'copy' && subtitle !== undefined) return null
  return {
    maxHeight: height === 'copy' ? null : Number(height),
    audioIndex: audio === 'none' ? null : Number(audio),
    isAudioCopied: sound === 'copy',
    burntInSubtitle: subtitle === undefined ? null : Number(subtitle),
  }
}
