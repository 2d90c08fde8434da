/** What a converted stream contains. The signed URL of the stream includes the plan as a short text. */
export interface ConversionPlan {
  /** Maximum height in pixels; null when the video is copied. */
  maxHeightPixels: number | null
  /** Index of the audio track in the file; null for a stream without sound. */
  audioIndex: number | null
  isAudioCopied: boolean
  /**
   * Index of the picture subtitle that is drawn into the video; null for none. Always null for copied video.
   */
  burntInSubtitleIndex: number | null
}

export function formatConversionPlan(plan: ConversionPlan): string {
  const { maxHeightPixels, audioIndex, isAudioCopied, burntInSubtitleIndex } = plan
  const audioMode = isAudioCopied ? 'copy' : 'aac'
  return [
    maxHeightPixels ?? 'copy',
    audioIndex ?? 'none',
    audioMode,
    ...(burntInSubtitleIndex === null ? [] : [burntInSubtitleIndex]),
  ].join(' ')
}

/** Parses a text of `formatConversionPlan`. Returns null for any other text. */
export function parseConversionPlan(planText: string | undefined): ConversionPlan | null {
  const match = /^(copy|\d{2,4}) (none|\d{1,3}) (copy|aac)(?: (\d{1,3}))?$/.exec(planText ?? '')
  if (!match) return null
  const [, heightText, audioIndexText, audioMode, subtitleIndexText] = match
  if (heightText === 'copy' && subtitleIndexText !== undefined) return null
  return {
    maxHeightPixels: heightText === 'copy' ? null : Number(heightText),
    audioIndex: audioIndexText === 'none' ? null : Number(audioIndexText),
    isAudioCopied: audioMode === 'copy',
    burntInSubtitleIndex: subtitleIndexText === undefined ? null : Number(subtitleIndexText),
  }
}
