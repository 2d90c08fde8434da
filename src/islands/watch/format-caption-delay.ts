import { isolateBidi } from '../../lib/i18n/isolate-bidi.ts'
import { formatNumber, t } from '../../lib/i18n/t.ts'

/** Formats a delay of subtitles with its sign, for example `+0.5 s`. */
export function formatCaptionDelay(delaySeconds: number): string {
  const seconds = formatNumber(delaySeconds, { signDisplay: 'exceptZero', minimumFractionDigits: 1 })
  // Isolated, because a sign before a number moves behind it on right-to-left pages.
  return t('watch:delaySeconds', { seconds: isolateBidi(seconds) })
}
