import { isolateBidi } from '../../lib/i18n/isolate-bidi.ts'
import { formatNumber, t } from '../../lib/i18n/t.ts'

/** Formats a delay of subtitles with its sign, for example `+0.5 s`. */
export function formatCaptionDelay(delaySeconds: number): string {
  const seconds = formatNumber(delaySeconds, { signDisplay: 'exceptZero', minimumFractionDigits: 1 })
  // The text is isolated, because right-to-left pages would otherwise show the sign after the number.
  return t('watch:delaySeconds', { seconds: isolateBidi(seconds) })
}
